import { expect } from 'vitest';
import type { Job, JobInput } from '../../src/index.js';
import type { RunRow } from '../../src/model/run.js';
import { expectExactlyDue } from './exactly-due.js';
import { clock, type NodeProcess, startNodeProcess } from './node-process.js';

export const EVERY_MS = 1_000;

/** A job that is due every second and may overlap itself, so that nothing but the ring holds it up. */
export function everySecond(handler: string): JobInput {
  const schedule = { kind: 'fix-rate', everyMs: EVERY_MS } as const;
  return { name: handler, handler, schedule, block: 'CONCURRENT', concurrency: 100 };
}

/** A process of a role: its label, and the handlers it has. */
export interface Role {
  readonly name: string;
  readonly handlers: readonly string[];
}

export const WEB_AND_WORKERS: readonly Role[] = [
  { name: 'web', handlers: [] },
  { name: 'reports', handlers: ['report', 'common'] },
  { name: 'mails', handlers: ['mail', 'common'] },
];

/** Starts a process of a role and waits until it works. A misfire would leave out what an outage of some seconds delays. */
export async function startRole(
  { name, handlers }: Role,
  place: { database: string; claim: string },
  version = 1,
): Promise<NodeProcess> {
  const node = startNodeProcess(
    { ...place, nodeId: `${name}-${version}`, handlers, misfireMs: 60_000 },
    'deployed-node.mjs',
  );
  await node.until(({ event }) => event === 'ready');
  await node.until(({ event }) => event === 'pass-completed');
  return node;
}

/** Stops a process as a deployment does, and waits until it has ended. */
export async function stopGracefully(node: NodeProcess): Promise<void> {
  node.child.send('stop');
  await node.until(({ event }) => event === 'stopped');
}

/** The longest time without any pass of any node since `fromMs`. */
export function longestGapMs(nodes: readonly NodeProcess[], fromMs: number): number {
  const passes = nodes.flatMap(({ told }) => told.filter(({ event }) => event === 'pass-completed'));
  const at = passes.map(({ heardMs }) => heardMs!).filter((heardMs) => heardMs > fromMs);
  const moments = [fromMs, ...at.sort((a, b) => a - b), clock.monotonicMs()];
  return Math.round(Math.max(...moments.slice(1).map((moment, i) => moment - moments[i]!)));
}

/** Exactly the due set, each succeeded at its first attempt and told once; gives the lateness in ms. */
export function expectNothingLost(
  jobs: readonly Job[],
  rows: readonly RunRow[],
  nodes: readonly NodeProcess[],
  until: number,
): { runs: number; p50: number; p99: number; most: number } {
  const told = nodes.flatMap((node) => node.told);
  expect(told.filter(({ event }) => event === 'run-failed' || event === 'run-killed')).toEqual([]);
  expect(told.filter(({ event }) => event === 'job-misfired')).toEqual([]);
  expectExactlyDue(jobs, rows, EVERY_MS, until);
  expect(rows.filter(({ attempt }) => attempt !== 1)).toEqual([]);
  const ends = told.filter(({ event }) => event === 'run-succeeded').map(({ runId }) => runId!);
  expect(ends.length).toBe(new Set(ends).size);
  const late = rows
    .filter(({ scheduleTime }) => scheduleTime! <= until)
    .map(({ startedAt, scheduleTime }) => startedAt! - scheduleTime!)
    .sort((a, b) => a - b);
  const at = (part: number) => late[Math.min(late.length - 1, Math.floor(late.length * part))]!;
  return { runs: late.length, p50: at(0.5), p99: at(0.99), most: late.at(-1)! };
}
