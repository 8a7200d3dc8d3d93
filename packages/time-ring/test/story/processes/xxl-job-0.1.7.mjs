// The npm package xxl-job as its users set it up: an express application with a route of its own.
import express from 'express';
import { createXxlJobExecutor } from 'xxl-job';

const { url, accessToken, group, route = '/job' } = JSON.parse(process.argv[2]);
const tell = (event, facts = {}) => process.send({ event, ...facts });

const jobHandlers = new Map([
  [
    'work',
    async (logger, request, params) => {
      tell('started', { logId: request.logId, params, shard: [request.broadcastIndex, request.broadcastTotal] });
      logger.info('a line of the handler');
      return { seen: params };
    },
  ],
  [
    'fail',
    async () => {
      throw new Error('the handler is broken');
    },
  ],
  [
    'long',
    async (_logger, { isKill, logId }) => {
      tell('started', { logId });
      while (!isKill()) await new Promise((resolve) => setTimeout(resolve, 20));
      tell('noticed', { logId });
    },
  ],
]);

const app = express();
app.use(express.json());
const server = app.listen(0, '127.0.0.1', async () => {
  const executor = createXxlJobExecutor({
    app,
    jobHandlers,
    route,
    accessToken,
    executorKey: group,
    baseUrl: `http://127.0.0.1:${server.address().port}`,
    scheduleCenterUrl: `${url}/xxl-job-admin`,
    logStorage: 'local',
  });
  await executor.initialization();
  process.on('message', async (message) => {
    if (message.cancel) await executor.cancel();
    tell('cancelled');
  });
  tell('ready');
});
