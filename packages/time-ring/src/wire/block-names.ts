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

/** The XXL-JOB name of a block strategy. */
export function blockWireName(strategy: BlockStrategy): string {
  return wireNames[strategy];
}

/** The block strategy with this XXL-JOB name; undefined when there is none. */
export function blockOfWireName(name: string): BlockStrategy | undefined {
  return strategies.get(name);
}
