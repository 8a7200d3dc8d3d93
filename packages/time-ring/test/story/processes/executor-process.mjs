// An executor of ours in a process of its own; handlers tell what they do and end when they are told to.
import { createExecutor } from '@horae/time-ring';

const { urls, accessToken, group, beatMs, callbackRetryMs } = JSON.parse(process.argv[2]);
const tell = (event, facts = {}) => process.send({ event, ...facts });
const held = new Map();

const executor = await createExecutor({
  ring: urls,
  accessToken,
  group,
  beatMs,
  callbackRetryMs,
  handlers: {
    work: ({ runId, params, log }) => {
      tell('started', { runId, params });
      log(`run ${runId}`);
      return `done ${runId}`;
    },
    held: ({ runId, attempt }) => {
      tell('started', { runId, attempt });
      return new Promise((resolve) => held.set(runId, resolve));
    },
  },
});
process.on('message', async ({ release, stop }) => {
  if (release) held.get(release)?.(`released ${release}`);
  if (stop) {
    await executor.stop();
    tell('stopped');
    process.disconnect();
  }
});
tell('ready', { address: executor.address });
