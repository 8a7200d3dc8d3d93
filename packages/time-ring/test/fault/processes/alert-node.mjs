import { createExecutor, startTimeRing } from '@horae/time-ring';

// A node of its own process whose jobs fail, and which tells of it by a webhook.
const { database, claim, nodeId, sink } = JSON.parse(process.argv[2]);
const tell = (message) => process.send(message, () => {});
const ring = await startTimeRing({
  ...{ database, claim, nodeId },
  alerts: [{ on: 'fire-failed', channel: 'ops' }],
  channels: { ops: { kind: 'webhook', url: sink } },
});
ring.events.on('alert-sent', ({ message }) => tell({ event: 'alert-sent', alertId: message.id }));
await createExecutor({
  ring,
  handlers: {
    fail: () => {
      throw new Error('out of paper');
    },
  },
});
process.on('message', ({ jobId }) => void ring.jobs.trigger(jobId));
process.on('disconnect', () => process.exit(1));
tell({ event: 'ready' });
