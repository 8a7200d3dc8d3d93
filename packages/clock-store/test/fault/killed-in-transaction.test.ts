import { join } from 'node:path';
import { seededRandom } from '@horae/clock-store';
import { openDatabase } from '@horae/clock-store/storage';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../temporary-folder.js';
import { startWorker, type Worker } from './worker-process.js';

const KILLS = 100;

function readyWorker(): Promise<Worker> {
  const worker = startWorker('write-groups.mjs');
  const ready = worker.receive().then(() => worker);
  // A spare that the test did not come to use ends with it.
  ready.catch(() => {});
  return ready;
}

/** Lets a worker write until it is inside group `last`, kills it there, and gives the last group it reported as committed. */
async function writeAndKill(
  worker: Worker,
  order: { url: string; from: number; holdAt?: number },
  last: number,
): Promise<number> {
  worker.send(order);
  for (let committed = order.from - 1; ; ) {
    const message = (await worker.receive()) as { inside?: number; committed?: number };
    if (message.committed !== undefined) committed = message.committed;
    if (message.inside === last) {
      await worker.kill();
      return committed;
    }
  }
}

test('a process killed during a transaction, 100 times, leaves a whole database with every committed row', async () => {
  const path = join(await temporaryFolder(), 'horae.db');
  const url = `sqlite:${path}`;
  const setup = await openDatabase(url);
  await setup.migrate('groups', [
    {
      name: 'groups',
      async up(db) {
        await db.schema.createTable('horae_groups').addColumn('grp', 'integer').addColumn('part', 'integer').execute();
      },
    },
  ]);
  await setup.close();
  const random = seededRandom('killed in a transaction');
  const spare: Promise<Worker>[] = [readyWorker(), readyWorker()];
  let next = 0;
  for (let kill = 0; kill < KILLS; kill++) {
    const worker = (await spare.shift()) as Worker;
    if (kill < KILLS - 2) spare.push(readyWorker());
    const last = next + random.below(3);
    // Half of them are held inside the transaction until they are dead, the others run on into the rest of it and its commit.
    const isHeld = kill % 2 === 0;
    const order = isHeld ? { url, from: next, holdAt: last } : { url, from: next };
    const committed = await writeAndKill(worker, order, last);
    const database = new Database(path);
    expect(database.pragma('integrity_check', { simple: true })).toBe('ok');
    const groups = database.prepare('select grp, count(*) as parts from horae_groups group by grp order by grp').all();
    const seen = groups as { grp: number; parts: number }[];
    expect(seen.every((group, index) => group.grp === index && group.parts === 10)).toBe(true);
    expect(seen.length).toBeGreaterThanOrEqual(committed + 1);
    if (isHeld) expect(seen.length).toBe(last);
    next = seen.length;
    database.close();
  }
});
