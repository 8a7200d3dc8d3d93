import { startTimeRing } from '@horae/time-ring';

/** A scheduler node. It has no handlers: executors register over HTTP, with this node or with any other of the ring. */
const ring = await startTimeRing({
  database: process.env.DATABASE_URL ?? 'sqlite:./ring.db',
  nodeId: process.env.NODE_ID ?? 'node',
  claim: 'buckets', // both nodes schedule at the same time
  http: { port: Number(process.env.PORT ?? 0), accessToken: process.env.HORAE_TOKEN ?? '' },
});
process.send?.({ url: ring.http?.url });
process.once('SIGTERM', () => void ring.stop());
