import { openDatabase } from '@horae/clock-store/storage';
import { describe, expect, test } from 'vitest';
import { sqlJobStore } from '../../src/index.js';
import { alertSink } from '../support/alert-stage.js';
import { faultDatabases, writeJobs } from '../support/fault-databases.js';
import { eventually } from '../support/network-stage.js';
import { startNodeProcess } from '../support/node-process.js';

/** The messages that are still to be sent. */
async function outbox(url: string): Promise<number> {
  const database = await openDatabase(url);
  try {
    const store = await sqlJobStore(database);
    return (await store.dueAlerts({ channels: null, until: Number.MAX_SAFE_INTEGER, limit: 100 })).length;
  } finally {
    await database.close();
  }
}

describe.each(faultDatabases)('three nodes on $name', ({ open }) => {
  test('an alert is delivered once although its node is killed between cause and delivery', async (context) => {
    const database = await open();
    if (database === 'unavailable') {
      context.skip('MariaDB is not installed here; HORAE_REQUIRE_MARIADB=1 makes this a failure');
      return;
    }
    const [job] = await writeJobs(database, [{ name: 'fail', handler: 'fail', schedule: { kind: 'none' } }]);
    // The first try is taken and never answered, so that the node dies with the message on its way.
    const sink = await alertSink('hang');
    const start = async (nodeId: string) => {
      const options = { database, claim: 'lock-row', nodeId, sink: sink.url };
      const node = startNodeProcess(options, 'alert-node.mjs');
      await node.until(({ event }) => event === 'ready');
      return node;
    };
    const doomed = await start('doomed');
    doomed.child.send({ jobId: job!.id });
    await eventually(() => expect(sink.calls.length).toBe(1));
    const others = await Promise.all([start('second'), start('third')]);
    expect(sink.calls.length).toBe(1);
    await doomed.kill();
    await Promise.race(others.map((node) => node.until(({ event }) => event === 'alert-sent')));
    await eventually(async () => expect(await outbox(database)).toBe(0));
    const [first, second] = sink.messages();
    expect(sink.told()).toEqual(['fire-failed 1', 'fire-failed 1']);
    expect(second).toEqual(first);
    expect(second!.nodeId).toBe('doomed');
    expect(others.flatMap(({ told }) => told).filter(({ event }) => event === 'alert-sent').length).toBe(1);
  });
});
