import { openDatabase } from '@horae/clock-store/storage';
import { createManualClock } from '@horae/clock-store/testing';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { newRun } from '../../src/engine/node/active-run.js';
import { type Job, sqlJobStore, startTimeRing } from '../../src/index.js';
import { REMOTE } from '../../src/model/run.js';
import { faultDatabases } from '../support/fault-databases.js';
import { START } from '../support/ring-stage.js';

const DAY_MS = 86_400_000;
const OPEN = 12_000;
const OLD = 3_000;

describe.each(faultDatabases)('on $name', ({ open }) => {
  test('old runs go although 12,000 older ones are still open before them, with any number of log lines', async (context) => {
    const url = await open();
    if (url === 'unavailable') return context.skip('MariaDB is not installed here');
    const clock = createManualClock({ now: START });
    const database = await openDatabase(url);
    const store = await sqlJobStore(database);
    const run = newRun({ id: 1, params: null } as Job, REMOTE, { triggerType: 'manual', scheduleTime: null, at: 0 });
    const at = START - 2 * DAY_MS;
    const write = (count: number, ended: number | null) =>
      store.transaction(async (trx) => {
        const given = {
          ...run,
          firedAt: ended ?? at,
          endedAt: ended,
          state: ended === null ? 'running' : 'succeeded',
        } as const;
        return trx.insertRuns(
          Array.from({ length: count }, () => ({ ...given, owner: ended === null ? REMOTE : null })),
        );
      });
    await write(OPEN, null);
    const old = await write(OLD, at);
    await write(5, START - 1_000);
    await store.transaction((trx) =>
      trx.appendLog(Array.from({ length: 5_000 }, (_, line) => ({ runId: old[7]!, line, text: 'said' }))),
    );
    const ring = await startTimeRing({ database, clock, keepRunsMs: DAY_MS });
    onTestFinished(async () => {
      const stopping = ring.stop({ deadlineMs: 0 });
      await clock.advanceBy(1_000);
      await stopping;
      await database.close();
    });
    const count = async (table: string) => {
      const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(database.kysely);
      return Number(rows[0]!.n);
    };
    for (let second = 0; second < 30 && (await count('horae_ring_runs')) > OPEN + 5; second++)
      await clock.advanceBy(1_000);
    expect(await count('horae_ring_runs')).toBe(OPEN + 5);
    expect(await count('horae_ring_logs')).toBe(0);
  });
});
