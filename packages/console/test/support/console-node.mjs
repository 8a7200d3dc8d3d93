import { createServer } from 'node:http';
import { createConsole } from '@horae/console';
import { createExecutor, startTimeRing } from '@horae/time-ring';

// A node with a console on a port of its own, in a process of its own. Its executor is alone in the group that is called like the node.
const { database, nodeId } = JSON.parse(process.argv[2]);
const tell = (message) => process.send(message, () => {});
const log = {
  debug() {},
  warn() {},
  error() {},
  info(_facts, text) {
    const invitation = /#\/first-admin\S+/.exec(text)?.[0];
    if (invitation !== undefined) tell({ event: 'invitation', invitation });
  },
};
const ring = await startTimeRing({ database, nodeId, log });

/** Writes what the parent says, line by line, until it says that the run is over. */
const dictated = ({ log: write, runId }) =>
  new Promise((resolve) => {
    tell({ event: 'run-begun', runId });
    process.on('message', function hear({ line, end }) {
      if (line !== undefined) write(line);
      if (end !== true) return;
      process.off('message', hear);
      resolve(`done at ${nodeId}`);
    });
  });
await createExecutor({
  ...{ ring, group: nodeId, address: nodeId },
  handlers: { dictated, echo: ({ params }) => JSON.stringify(params) },
});

const panel = createConsole({ ring });
const server = createServer(panel.node);
server.listen(0, '127.0.0.1', async () => {
  await panel.hasUsers();
  tell({ event: 'ready', url: `http://127.0.0.1:${server.address().port}/` });
});
process.on('message', async ({ trigger, stop }) => {
  if (trigger !== undefined) tell({ event: 'triggered', runId: (await ring.jobs.trigger(trigger)).id });
  if (stop !== true) return;
  panel.close();
  server.closeAllConnections();
  server.close();
  await ring.stop();
  process.exit(0);
});
// The parent went away: nobody would end this process any more.
process.on('disconnect', () => process.exit(1));
