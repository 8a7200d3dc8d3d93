// A node of a ring in a process of its own, to be driven over its admin API and to be killed.
import { startTimeRing } from '@horae/time-ring';

const { database, claim, accessToken } = JSON.parse(process.argv[2]);
const ring = await startTimeRing({ database, claim, http: { port: 0, accessToken } });
ring.events.on('run-started', ({ run }) => process.send({ event: 'accepted', runId: run.id }));
process.on('message', async ({ stop }) => {
  if (!stop) return;
  await ring.stop();
  process.send({ event: 'stopped' });
  process.disconnect();
});
process.send({ event: 'ready', url: ring.http.url });
