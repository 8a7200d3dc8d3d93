import { systemClock } from '@horae/clock-store';
import { createExecutor, startTimeRing } from '@horae/time-ring';

// Starts a ring, lets it work for a while, stops it, and has nothing else to do.
const { database, claim } = JSON.parse(process.argv[2]);
const ring = await startTimeRing({ database, claim, http: { port: 0 } });
const clock = systemClock();
await createExecutor({ ring, handlers: { work: () => undefined } });
await ring.jobs.add({ name: 'work', handler: 'work', schedule: { kind: 'fix-rate', everyMs: 1_000 }, start: true });
const done = new Promise((resolve) => ring.events.on('run-succeeded', resolve));
await done;
const began = clock.monotonicMs();
await ring.stop();
process.send({ event: 'stopped', tookMs: clock.monotonicMs() - began });
process.disconnect();
