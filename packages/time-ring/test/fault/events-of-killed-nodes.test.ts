import { openDatabase } from '@horae/clock-store/storage';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type SharedEvent, startTimeRing } from '../../src/index.js';
import { everySecond, startRole } from '../support/deployment.js';
import { faultDatabases } from '../support/fault-databases.js';
import { eventually } from '../support/network-stage.js';

const worker = { name: 'worker', handlers: ['work'] };

describe.each(faultDatabases)('nodes on $name that share their events', ({ open }) => {
  test.for(['lock-row', 'buckets'] as const)(
    '%s: a listening node hears a node until it is killed, and the next one from its first second on',
    async (claim, context) => {
      const database = await open();
      if (database === 'unavailable') {
        context.skip('MariaDB is not installed here; HORAE_REQUIRE_MARIADB=1 makes this a failure');
        return;
      }
      const ring = await startTimeRing({ database, claim, nodeId: 'console' });
      onTestFinished(() => ring.stop({ deadlineMs: 0 }));
      const told: SharedEvent[] = [];
      ring.events.onAll((event) => void told.push(event));
      const ends = (nodeId: string) =>
        told.filter((event) => event.nodeId === nodeId && event.name === 'run-succeeded').length;
      await ring.jobs.add({ ...everySecond('work'), start: true });

      const first = await startRole(worker, { database, claim });
      await eventually(() => expect(ends('worker-1')).toBeGreaterThanOrEqual(2));
      await first.kill();
      const second = await startRole(worker, { database, claim }, 2);
      await eventually(() => expect(ends('worker-2')).toBeGreaterThanOrEqual(2));
      const once = told.map(({ name, event, nodeId, at }) => JSON.stringify([name, nodeId, at, event]));
      expect(new Set(once).size).toBe(once.length);

      await second.kill();
    },
  );

  test('a node that listens and is killed costs the others nothing after a lease', async (context) => {
    const database = await open();
    if (database === 'unavailable') {
      context.skip('MariaDB is not installed here; HORAE_REQUIRE_MARIADB=1 makes this a failure');
      return;
    }
    const ring = await startTimeRing({ database, nodeId: 'left' });
    onTestFinished(() => ring.stop({ deadlineMs: 0 }));
    const listening = await startRole({ name: 'listener', handlers: [] }, { database, claim: 'lock-row' });
    const opened = await openDatabase(database);
    onTestFinished(() => opened.close());
    const written = async () => {
      const { rows } = await sql<{ n: number }>`select count(*) as n from horae_ring_events`.execute(opened.kysely);
      return Number(rows[0]!.n);
    };
    const { id } = await ring.jobs.add({ name: 'changed', handler: 'x', schedule: { kind: 'none' } });
    const change = () => ring.jobs.update(id, { name: 'changed again' });
    listening.child.send('listen');
    await eventually(async () => {
      await change();
      expect(await written()).toBeGreaterThan(0);
    });
    await listening.kill();
    await eventually(async () => {
      const before = await written();
      await change();
      const passes = ring.metrics().passes;
      await eventually(() => expect(ring.metrics().passes).toBeGreaterThan(passes));
      expect(await written()).toBe(before);
    });
  });
});
