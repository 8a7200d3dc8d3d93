import { expect, test } from 'vitest';
import type { RunContext } from '../../src/index.js';
import { checkLimits, type LimitEvent, runLimitHistory } from '../support/limit-history.js';

const HISTORIES = process.env.HORAE_LONG ? 1_000 : 12;

test(`${HISTORIES} random histories of declared jobs, pauses, limits and nodes that come and go break no promise`, async () => {
  const seen = new Set<string>();
  for (let i = 0; i < HISTORIES; i++) {
    const { events, jobs, onceFires } = await runLimitHistory(`limits ${i}`);
    expect(checkLimits(events), `runLimitHistory("limits ${i}")`).toEqual([]);
    expect({ jobs, onceFires }, `runLimitHistory("limits ${i}")`).toEqual({ jobs: 3, onceFires: 1 });
    for (const event of events) seen.add('job' in event ? event.job : event.kind);
  }
  expect([...seen].sort()).toEqual(['delayed', 'limited', 'once', 'paused', 'resuming']);
});

const run = (runId: number) => ({ runId, attempt: 1 }) as RunContext;
const start = (job: string, runId: number): LimitEvent => ({ kind: 'start', at: runId, job, run: run(runId) });
const end = (job: string, runId: number): LimitEvent => ({ kind: 'end', at: runId, job, run: run(runId) });

test.each([
  { story: 'one run too many', events: [1, 2, 3].map((id) => start('limited', id)) },
  { story: 'a start in a paused group', events: [{ kind: 'paused', at: 0 } as const, start('once', 1)] },
  {
    story: 'a delayed job that overlaps',
    events: [start('delayed', 1), end('delayed', 1), start('delayed', 2), start('delayed', 3)],
  },
])('the checker finds $story', ({ events }) => {
  expect(checkLimits(events)).toHaveLength(1);
});
