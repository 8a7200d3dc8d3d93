import { expect, test } from 'vitest';
import { newRun, settings, stored, T } from '../../testing/conformance-stage.js';
import { createRing } from '../../wheel/ring.js';
import type { ActiveRun, DueRun, RingRun } from '../node/active-run.js';
import { OwnedRuns } from '../node/owned-runs.js';
import type { RingNode } from '../node/ring-node.js';
import { createRunIntake } from './intake.js';

const node = { isStopping: false } as RingNode;

function stage() {
  const owned = new OwnedRuns(node);
  const ring = createRing<RingRun>();
  const dueRing = createRing<DueRun>();
  return { owned, ring, dueRing, intake: createRunIntake(node, { ring, dueRing, owned }) };
}

/** A retry that is due in a second, as this node has it under a fence. */
function retry(fence: number): ActiveRun {
  const job = { ...settings(), id: 7 } as unknown as ActiveRun['job'];
  return { job, row: stored(newRun({ jobId: 7, triggerType: 'retry', dueAt: T + 1_000, fence }), 13) };
}

test('a run that was lost and got back is not replaced by a late answer of the time before', () => {
  const { owned, dueRing, intake } = stage();
  intake.accept([retry(2)], T);
  intake.accept([retry(1)], T);
  expect(owned.get(13)?.row.fence).toBe(2);
  expect(dueRing.drain(T + 1_000).due.map(({ row }) => row.fence)).toEqual([2]);
});

test('a run that came back replaces what is left of it', () => {
  const { dueRing, intake } = stage();
  intake.accept([retry(1)], T);
  intake.accept([retry(2)], T);
  expect(dueRing.drain(T + 1_000).due.map(({ row }) => row.fence)).toEqual([2]);
});
