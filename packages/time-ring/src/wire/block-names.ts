import type { BlockStrategy } from '../model/job.js';

const wireNames: Readonly<Record<BlockStrategy, string>> = {
  SERIAL: 'SERIAL_EXECUTION',
  DISCARD: 'DISCARD_LATER',
  COVER: 'COVER_EARLY',
  CONCURRENT: 'CONCURRENT',
};

const strategies: ReadonlyMap<string, BlockStrategy> = new Map(
  Object.entries(wireNames).map(([strategy, name]) => [name, strategy as BlockStrategy]),
);

/** What XXL-JOB calls a block strategy. */
export function blockWireName(strategy: BlockStrategy): string {
  return wireNames[strategy];
}

/** The block strategy of that XXL-JOB name; undefined when there is none. */
export function blockOfWireName(name: string): BlockStrategy | undefined {
  return strategies.get(name);
}
