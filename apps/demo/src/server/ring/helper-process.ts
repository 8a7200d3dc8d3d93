import { runNode } from './run-node.js';

// A further node of the ring in a process of its own; it ends with the process that started it.
const [databaseUrl, nodeId] = process.argv.slice(2);
if (databaseUrl === undefined || nodeId === undefined)
  throw new Error('wanted: a database URL and a name for the node');
// Ctrl-C in a terminal reaches every process of the group; the one that serves the page decides when to end.
process.on('SIGINT', () => {});
const node = await runNode(databaseUrl, nodeId, 2);
process.send?.({ status: 'ok' });

let isEnding = false;
const end = async () => {
  if (isEnding) return;
  isEnding = true;
  await node.stop();
  process.exit(0);
};
process.on('disconnect', end);
process.on('SIGTERM', end);
