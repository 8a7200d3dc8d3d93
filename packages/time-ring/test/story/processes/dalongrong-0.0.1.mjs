// The npm package @dalongrong/xxl-job-executor as its users set it up: by environment variables, in an express application.
import express from 'express';

const { url, accessToken, group } = JSON.parse(process.argv[2]);
Object.assign(process.env, {
  XXL_JOB_EXECUTOR_KEY: group,
  XXL_JOB_SCHEDULE_CENTER_URL: `${url}/xxl-job-admin`,
  XXL_JOB_ACCESS_TOKEN: accessToken,
  XXL_JOB_JOB_LOG_PATH: 'logs/job',
});
// It reads the environment when it is made.
const { default: XxlJobExecutor } = await import('@dalongrong/xxl-job-executor');
const tell = (event, facts = {}) => process.send({ event, ...facts });
const held = [];

const jobHandlers = new Map([
  [
    'work',
    async (logger, params) => {
      tell('started', { params });
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
    async () => {
      tell('started');
      await new Promise((resolve) => held.push(resolve));
    },
  ],
]);

const app = express();
app.use(express.json());
const server = app.listen(0, '127.0.0.1', () => {
  const executor = new XxlJobExecutor(jobHandlers, {});
  const appDomain = `http://127.0.0.1:${server.address().port}`;
  executor.applyMiddleware({ app, appType: 'EXPRESS', appDomain, path: '/job' });
  process.on('message', async (message) => {
    if (message.release) for (const resolve of held.splice(0)) resolve();
    if (message.close) await executor.close();
    tell('done');
  });
  tell('ready');
});
