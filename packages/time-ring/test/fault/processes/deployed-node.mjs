import { systemClock } from '@horae/clock-store';
import { createExecutor, startTimeRing } from '@horae/time-ring';

// A node as people deploy it: with the handlers it is given, or none. Tells what happens as messages; "listen" makes it
// listen to the events of all nodes, "stop" stops it and ends the process.
const { handlers, ...options } = JSON.parse(process.argv[2]);
const clock = systemClock();
const tell = (message) => process.send(message, () => {});
const level = (name) => (facts, message) =>
  tell({ event: 'log', level: name, reason: message, facts: String(facts.err ?? '') });
const log = { debug() {}, info() {}, warn: level('warn'), error: level('error') };
const ring = await startTimeRing({ ...options, log });
for (const event of ['run-succeeded', 'run-failed', 'run-killed']) {
  ring.events.on(event, ({ run }) => tell({ event, runId: run.id, jobId: run.jobId, reason: run.message }));
}
ring.events.on('job-misfired', ({ jobId }) => tell({ event: 'job-misfired', jobId }));
ring.events.on('pass-completed', () => tell({ event: 'pass-completed' }));
if (handlers.length > 0) {
  const work = ({ runId }) => clock.sleepFor((runId * 37) % 50);
  await createExecutor({
    ring,
    address: options.nodeId,
    handlers: Object.fromEntries(handlers.map((name) => [name, work])),
  });
}
process.on('message', async (message) => {
  if (message === 'listen') {
    ring.events.onAll(() => {});
    return;
  }
  const began = clock.monotonicMs();
  await ring.stop({ deadlineMs: 10_000 });
  process.send({ event: 'stopped', tookMs: clock.monotonicMs() - began }, () => process.exit(0));
});
process.on('disconnect', () => process.exit(1));
tell({ event: 'ready' });
