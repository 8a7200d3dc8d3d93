import { openDatabase } from '@horae/clock-store/storage';
import { createManualClock } from '@horae/clock-store/testing';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createExecutor, startTimeRing } from '../../src/index.js';
import { silentLogger } from '../../src/model/logger.js';
import { faultDatabases } from '../support/fault-databases.js';
import { EVERY_SECOND, listen, START } from '../support/ring-stage.js';

const BYTES = Buffer.from([0xff, 0x00, 0x22]);
const damages = [
  { column: 'schedule', value: 'no JSON' as unknown },
  { column: 'schedule', value: '[]' },
  { column: 'misfire', value: 'SOMETIMES' },
  { column: 'route', value: 'NOWHERE' },
  { column: 'block', value: 'NEVER' },
];
/** Only SQLite keeps bytes in a column of text. */
const byteDamages = ['name', 'handler', 'executor_group', 'schedule', 'params', 'children', 'retries'].map(
  (column) => ({
    column,
    value: BYTES as unknown,
  }),
);

describe.each(faultDatabases)('on $name', ({ name, open }) => {
  test.for(name === 'a SQLite file' ? [...damages, ...byteDamages] : damages)(
    'a job with $value in its column $column is stopped and said once, and the others go on',
    async ({ column, value }, context) => {
      const url = await open();
      if (url === 'unavailable') return context.skip('MariaDB is not installed here');
      const clock = createManualClock({ now: START });
      const database = await openDatabase(url);
      const warnings: object[] = [];
      const log = { ...silentLogger, warn: (facts: object) => void warnings.push(facts) };
      const ring = await startTimeRing({ database, clock, log });
      onTestFinished(async () => {
        const stopping = ring.stop({ deadlineMs: 0 });
        await clock.advanceBy(1_000);
        await stopping;
        await database.close();
      });
      const ran: number[] = [];
      await createExecutor({ ring, handlers: { tick: ({ jobId }) => void ran.push(jobId) } });
      const heard = listen(ring);
      for (let i = 0; i < 3; i++)
        await ring.jobs.add({ name: 'tick', handler: 'tick', schedule: EVERY_SECOND, start: true });
      await clock.advanceBy(2_000);
      await sql`update horae_ring_jobs set ${sql.ref(column)} = ${value} where id = 2`.execute(database.kysely);
      await clock.advanceBy(10_000);
      const after = ran.length;
      await clock.advanceBy(5_000);
      expect(ran.slice(after).filter((id) => id === 1).length).toBe(5);
      expect(ran.slice(after).filter((id) => id === 3).length).toBe(5);
      expect(ran.slice(after)).not.toContain(2);
      expect(await ring.jobs.get(2)).toMatchObject({ state: 'STOPPED', stopReason: { code: 'bad-schedule' } });
      expect(heard.filter((each) => each.name === 'job-stopped')).toHaveLength(1);
      expect(warnings.filter((facts) => 'jobId' in facts)).toHaveLength(1);
      expect(ring.metrics().passesFailed).toBe(0);
      expect((await ring.jobs.list()).jobs).toHaveLength(3);
    },
  );
});

test('bytes in the text columns of a run cost nobody a pass: it is run with what can be read', async () => {
  const clock = createManualClock({ now: START });
  const database = await openDatabase('sqlite::memory:', { clock });
  const ring = await startTimeRing({ database, clock });
  onTestFinished(async () => {
    await ring.stop({ deadlineMs: 0 });
    await database.close();
  });
  const job = await ring.jobs.add({ name: 'one', handler: 'one', schedule: { kind: 'none' } });
  const { id } = await ring.jobs.trigger(job.id);
  await clock.settle();
  await sql`
    update horae_ring_runs set owner = '', state = 'pending', ended_at = null, params = ${BYTES}, message = ${BYTES}
    where id = ${id}`.execute(database.kysely);
  await createExecutor({ ring, handlers: { one: () => 'done' } });
  await clock.advanceBy(2_000);
  expect(await ring.runs.get(id)).toMatchObject({ state: 'succeeded', message: 'done' });
  expect(ring.metrics().passesFailed).toBe(0);
});
