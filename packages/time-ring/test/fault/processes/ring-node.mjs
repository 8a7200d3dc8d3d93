import { systemClock } from '@horae/clock-store';
import { createExecutor, startTimeRing } from '@horae/time-ring';

// A node of its own process, started, killed, stopped and resumed by the fault tests. Tells what happens as messages.
const { database, claim, nodeId } = JSON.parse(process.argv[2]);
const clock = systemClock();
const ring = await startTimeRing({ database, claim, nodeId });
const tell = (message) => process.send(message, () => {});
for (const event of ['run-started', 'run-succeeded', 'run-failed', 'run-killed']) {
  ring.events.on(event, ({ run }) => tell({ event, runId: run.id, jobId: run.jobId, at: clock.now() }));
}
ring.events.on('result-refused', ({ runId, reason }) => tell({ event: 'result-refused', runId, reason }));
ring.events.on('job-misfired', ({ jobId }) => tell({ event: 'job-misfired', jobId }));
ring.events.on('pass-completed', ({ at }) =>
  tell({ event: 'pass-completed', at, buckets: ring.health().buckets.length }),
);
/** Some runs are over at once, some take a while, so that a kill finds some under way. */
const aWhile = (runId) => (runId % 3 === 0 ? clock.sleepFor((runId * 37) % 400) : undefined);
let held = [];
process.on('message', () => {
  for (const release of held) release();
  held = [];
});
await createExecutor({
  ring,
  address: nodeId,
  handlers: {
    work: ({ runId }) => aWhile(runId),
    // Its result says whose it is: a step that comes after it must have been handed this one.
    step: async ({ runId }) => {
      await aWhile(runId);
      return runId;
    },
    refuse: async ({ runId }) => {
      await aWhile(runId);
      throw new Error('refused');
    },
    hold: () => new Promise((resolve) => held.push(resolve)),
  },
});
// The parent went away: nobody would end this process any more.
process.on('disconnect', () => process.exit(1));
tell({ event: 'ready' });
