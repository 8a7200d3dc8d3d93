import { expect, test } from 'vitest';
import { createRingStage } from '../support/ring-stage.js';

const DAY_MS = 86_400_000;

test('flows that ended long ago are deleted with their steps, and open ones stay', async () => {
  await using stage = await createRingStage({ keepRunsMs: DAY_MS });
  await stage.executor({ work: () => {} });
  await stage.job({ key: 'work' });
  await stage.job({ name: 'nobody has it', key: 'stuck', waitMs: null });
  const { ring, clock } = stage;
  const old = await ring.flows.start({ name: 'old', steps: { a: { job: 'work' }, b: { job: 'work', after: ['a'] } } });
  const open = await ring.flows.start({
    name: 'open',
    steps: { a: { job: 'work' }, b: { job: 'stuck', after: ['a'] } },
  });
  await clock.advanceBy(2_000);
  expect((await ring.flows.get(old.id))!.state).toBe('succeeded');
  await clock.jumpTo(clock.now() + 2 * DAY_MS);
  for (let i = 0; i < 20; i++) await clock.advanceBy(1_000);
  expect(await ring.flows.get(old.id)).toBeNull();
  const left = (await ring.flows.get(open.id))!;
  // The run of its first step is gone, what became of it is not.
  expect(await ring.runs.get(left.steps.a!.runId!)).toBeNull();
  expect(left).toMatchObject({ state: 'running', steps: { a: { state: 'succeeded' }, b: { state: 'pending' } } });
});
