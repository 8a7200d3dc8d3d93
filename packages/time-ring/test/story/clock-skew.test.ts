import { type Clock, systemClock } from '@horae/clock-store';
import { openDatabase } from '@horae/clock-store/storage';
import { startTestMariadb, startTestPostgres, type TestServer } from '@horae/clock-store/testing';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { startTimeRing } from '../../src/index.js';
import { eventually } from '../support/network-stage.js';

/** A node on a member of a cluster whose clock is off by what `skew` says. */
async function nodeOn(url: string, skew: { ms: number }, nodeId = 'node') {
  const real = systemClock();
  const databaseClock: Clock = { ...real, now: () => real.now() + skew.ms };
  const database = await openDatabase(url, { databaseClock });
  onTestFinished(() => database.close());
  const lines: { facts: object; message: string }[] = [];
  const note = (facts: object, message: string) => void lines.push({ facts, message });
  const log = { debug() {}, info() {}, warn: note, error: note };
  const ring = await startTimeRing({ database, log, nodeId });
  onTestFinished(() => ring.stop({ deadlineMs: 0 }));
  return { ring, lines };
}

describe.each([
  { name: 'PostgreSQL', start: startTestPostgres as () => Promise<TestServer | 'unavailable'> },
  { name: 'MariaDB', start: startTestMariadb },
])('on $name', ({ start }) => {
  let server: TestServer | 'unavailable';
  beforeAll(async () => {
    server = await start();
  });
  afterAll(async () => {
    if (server !== 'unavailable') await server.stop();
  });
  const fresh = async (skip: (note: string) => void) => {
    if (server !== 'unavailable') return server.freshDatabase();
    skip('MariaDB is not installed here; HORAE_REQUIRE_MARIADB=1 makes this a failure');
    return '';
  };

  test.for([10_000, -10_000])('point 22: a database whose clock is off by %i ms is refused', async (ms, { skip }) => {
    const url = await fresh(skip);
    await expect(nodeOn(url, { ms })).rejects.toMatchObject({
      code: 'clock-skew',
      details: { field: 'maxClockSkewMs', limit: 5_000 },
    });
  });

  test('point 22: beyond a second it warns, and a clock that goes wrong later stops the passes until it is right', async ({
    skip,
  }) => {
    const skew = { ms: 2_000 };
    const { ring, lines } = await nodeOn(await fresh(skip), skew);
    expect(lines.filter(({ message }) => /set both by NTP/.test(message))).toHaveLength(1);
    skew.ms = 10_000;
    await eventually(() =>
      expect(ring.health()).toMatchObject({ status: 'degraded', problem: expect.stringMatching(/maxClockSkewMs/) }),
    );
    skew.ms = 0;
    await eventually(() => expect(ring.health()).toMatchObject({ status: 'ok' }));
  });

  test('point 22: a node tells of another whose heartbeats are from the future', async ({ skip }) => {
    const url = await fresh(skip);
    await nodeOn(url, { ms: 3_500 }, 'ahead');
    const { lines } = await nodeOn(url, { ms: 0 }, 'right');
    await eventually(() =>
      expect(lines).toContainEqual({
        message: expect.stringMatching(/Other nodes have another time/),
        facts: { nodeId: 'right', nodes: [{ nodeId: 'ahead', aheadMs: expect.any(Number) }] },
      }),
    );
  });
});
