import { setTimeout } from 'node:timers/promises';
import { connectTimeRing } from '@horae/time-ring';
import { startPart } from './cluster.js';

const database = process.env.DATABASE_URL ?? 'sqlite:./ring.db';
const common = { DATABASE_URL: database, HORAE_TOKEN: process.env.HORAE_TOKEN ?? 'a token for this example' };

const nodes = [
  await startPart('node', { ...common, NODE_ID: 'one' }),
  await startPart('node', { ...common, NODE_ID: 'two' }),
];
const NODES = nodes.map(({ said }) => said.url).join(',');
console.log(`nodes: ${NODES}`);
const executors = [
  await startPart('executor', { ...common, NODES, EXECUTOR: 'ada' }),
  await startPart('executor', { ...common, NODES, EXECUTOR: 'ben' }),
];

// A process that asks is no node.
const client = await connectTimeRing({ database });
await client.jobs.put({
  key: 'report',
  name: 'Report',
  handler: 'report',
  executorGroup: 'reports',
  route: 'SHARDING_BROADCAST', // one run on every executor
  schedule: { kind: 'none' },
  params: { customers: 6 },
});
for (let look = 0; (await client.executors.list('reports')).length < executors.length; look++) {
  if (look === 100) throw new Error('The executors did not register within 10 s');
  await setTimeout(100);
}

/** Asks for a report and resolves with what each executor has answered. */
async function report(): Promise<string[]> {
  const { fireId } = await client.jobs.trigger('report');
  const { runs } = await client.runs.list({ fireId });
  const over = await Promise.all(runs.map(({ id }) => client.runs.wait(id, { timeoutMs: 60_000 })));
  return over.map(({ state, message }) => `${state}: ${message}`).sort();
}

for (const line of await report()) console.log(line);
console.log('node one is killed');
await nodes[0]?.end('SIGKILL');
for (const line of await report()) console.log(line);

await client.close();
for (const part of [...executors, nodes[1]]) await part?.end('SIGTERM');
