import { expect } from 'vitest';
import type { Job } from '../../src/index.js';
import type { RunRow } from '../../src/model/run.js';
import type { NodeProcess } from './node-process.js';

/** Each job of a fixed rate has one run for each of its times up to `until`, all succeeded. */
export function expectExactlyDue(jobs: readonly Job[], rows: readonly RunRow[], everyMs: number, until: number): void {
  for (const job of jobs) {
    const due: number[] = [];
    for (let at = job.nextAt!; at <= until; at += everyMs) due.push(at);
    const own = rows.filter(({ jobId, scheduleTime }) => jobId === job.id && scheduleTime! <= until);
    expect(own.map(({ scheduleTime }) => scheduleTime!).sort((a, b) => a - b)).toEqual(due);
    expect(own.filter(({ state }) => state !== 'succeeded')).toEqual([]);
  }
}

/** A process that is killed may take its last words with it, so an end may go untold; it cannot be told twice. */
export function expectOneEndEach(nodes: readonly NodeProcess[], rows: readonly RunRow[]): void {
  const told = nodes.flatMap((node) => node.told);
  const ends = told.filter(({ event }) => ['run-succeeded', 'run-failed', 'run-killed'].includes(event));
  const ids = ends.map(({ runId }) => runId!);
  expect(ids.length).toBe(new Set(ids).size);
  const over = new Set(rows.filter(({ state }) => state === 'succeeded').map(({ id }) => id));
  expect(ids.filter((id) => !over.has(id))).toEqual([]);
  expect(ids.length).toBeGreaterThan(over.size / 2);
  expect(told.filter(({ event }) => event === 'job-misfired')).toEqual([]);
}
