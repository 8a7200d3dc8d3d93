import { type HoraeDatabase, openDatabase } from '@horae/clock-store/storage';
import { createManualClock, type ManualClock, startTestPostgres, type TestServer } from '@horae/clock-store/testing';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createExecutor, startTimeRing, type TimeRing } from '../../src/index.js';
import { eventually } from '../support/network-stage.js';
import { NEVER, START } from '../support/ring-stage.js';

let server: TestServer;
beforeAll(async () => {
  server = await startTestPostgres();
});
afterAll(() => server.stop());

interface Part {
  readonly ring: TimeRing;
  readonly database: HoraeDatabase;
}

/** Nodes on one database whose clock stands still: nothing happens by time but what the test lets pass. */
function machines(url: string, clock: ManualClock) {
  return async (nodeId: string, deaf = false): Promise<Part> => {
    const opened = await openDatabase(url, { clock, databaseClock: clock });
    onTestFinished(() => opened.close());
    const database = deaf ? withoutEars(opened) : opened;
    const ring = await startTimeRing({ database, clock, nodeId });
    onTestFinished(() => ring.stop({ deadlineMs: 0 }));
    return { ring, database: opened };
  };
}

/** As behind a pooler in transaction mode: LISTEN is accepted, and nothing ever arrives. */
function withoutEars(database: HoraeDatabase): HoraeDatabase {
  const channelName = () => 'horae_nowhere';
  const messages = { channelName, send: async () => {}, listen: async () => () => {}, isListening: true };
  return new Proxy(database, {
    get(target, key) {
      if (key === 'messages') return messages;
      const value = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

async function passOf({ ring }: Pick<Part, 'ring'>, clock: ManualClock): Promise<void> {
  const passed = new Promise<void>((resolve) => {
    const remove = ring.events.on('pass-completed', () => {
      remove();
      resolve();
    });
  });
  await clock.advanceBy(1_000);
  await passed;
}

/** A node that asks and one that works, both of which have made a pass. */
async function webAndWorker(deaf = false) {
  const clock = createManualClock({ now: START });
  const start = machines(await server.freshDatabase(), clock);
  const [web, worker] = [await start('web'), await start('worker', deaf)];
  const done: number[] = [];
  await createExecutor({ ring: worker.ring, handlers: { work: ({ runId }) => void done.push(runId) } });
  const { id } = await web.ring.jobs.add({ name: 'work', handler: 'work', schedule: NEVER });
  await passOf(worker, clock);
  await passOf(web, clock);
  return { clock, web, worker, done, jobId: id };
}

test('point 6: a handover wakes the other node, whose clock does not move', async () => {
  const { web, done, jobId } = await webAndWorker();
  for (let more = 0; more < 3; more++) {
    const { id } = await web.ring.jobs.trigger(jobId);
    await eventually(() => expect(done).toContain(id));
  }
});

test('point 6: where wake-ups do not arrive, a handover is found after 250 ms', async () => {
  const { clock, web, done, jobId } = await webAndWorker(true);
  const { id } = await web.ring.jobs.trigger(jobId);
  await eventually(async () => expect(await web.ring.runs.get(id)).toMatchObject({ address: expect.any(String) }));
  expect(done).toEqual([]);
  await eventually(async () => {
    await clock.advanceBy(250);
    expect(done).toEqual([id]);
  });
  expect(clock.now() - START).toBeLessThan(60_000);
});

test('point 6: a listening connection that is lost is made again, and what was handed over meanwhile is found', async () => {
  const { web, worker, done, jobId } = await webAndWorker();
  const lose = sql`
    select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and query like 'listen%'`;
  await lose.execute(worker.database.kysely);
  const { id } = await web.ring.jobs.trigger(jobId);
  await eventually(() => expect(done).toContain(id));
  await eventually(() => expect(worker.database.messages!.isListening).toBe(true));
  const next = await web.ring.jobs.trigger(jobId);
  await eventually(() => expect(done).toContain(next.id));
});

test.each([
  { where: 'in the schema of the connection', options: '', name: 'horae_trigger' },
  { where: 'in a schema, with a prefix', options: '?schema=ring&tablePrefix=x_', name: 'ring.x_horae_trigger' },
])('a run that SQL asks for starts at the commit, not before, $where', async ({ options, name }) => {
  const clock = createManualClock({ now: START });
  const url = await server.freshDatabase();
  const { ring } = await machines(`${url}${options}`, clock)('worker');
  const done: number[] = [];
  await createExecutor({ ring, handlers: { work: ({ runId }) => void done.push(runId) } });
  await ring.jobs.add({ key: 'work', name: 'work', handler: 'work', schedule: NEVER });
  // Listens from its first pass on, and knows from its own message that it is heard.
  for (let second = 0; second < 2; second++) await passOf({ ring }, clock);
  const outside = await openDatabase(url);
  onTestFinished(() => outside.close());
  const ids = await outside.transaction(async (trx) => {
    const { rows } = await sql<{ id: number }>`
      select ${sql.raw(name)}('work') as id from generate_series(1, 3)`.execute(trx);
    expect(done).toEqual([]);
    return rows.map(({ id }) => id);
  });
  await eventually(() => expect([...done].sort((a, b) => a - b)).toEqual(ids));
});

test('point 12: what a stopping node hands back goes on at once', async () => {
  const clock = createManualClock({ now: START });
  const start = machines(await server.freshDatabase(), clock);
  const [first, second] = [await start('first'), await start('second')];
  const begun: string[] = [];
  const { id } = await first.ring.jobs.add({ name: 'work', handler: 'work', schedule: NEVER });
  await createExecutor({
    ring: first.ring,
    handlers: {
      work({ signal }) {
        begun.push('first');
        return new Promise((_, reject) => signal.addEventListener('abort', reject));
      },
    },
  });
  await passOf(first, clock);
  await passOf(second, clock);
  const run = await first.ring.jobs.trigger(id);
  await eventually(() => expect(begun).toEqual(['first']));
  await createExecutor({ ring: second.ring, handlers: { work: () => void begun.push('second') } });
  const stopped = first.ring.stop({ deadlineMs: 0 });
  await eventually(() => expect(begun).toEqual(['first', 'second']));
  await stopped;
  await eventually(async () =>
    expect(await second.ring.runs.get(run.id)).toMatchObject({ state: 'succeeded', attempt: 1 }),
  );
});
