import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@horae/clock-store/storage';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  type ClaimOutcome,
  createScheduler,
  LeaseLostError,
  memoryTaskStore,
  NamespaceBusyError,
  SchedulerOptionError,
  type TaskStore,
  type TraceEvent,
} from '../../src/index.js';
import { sqlTaskStore } from '../../src/sql.js';
import { checkTrace } from '../../src/trace.js';
import { createWorld, deferred, eventNames, taskEvents } from '../support/world.js';

const START = '2026-03-01T10:00:30Z';
const standby = { instances: 'standby' } as const;

const roles = (trace: readonly TraceEvent[]) =>
  trace.filter(({ event }) => event === 'SchedulerRoleChanged').map(({ role }) => role);
const joined = (...traces: TraceEvent[][]) => traces.flat().sort((a, b) => a.at - b.at);

async function sqliteStore(namespace = 'default'): Promise<TaskStore> {
  const folder = mkdtempSync(join(tmpdir(), 'horae-instances-'));
  const database = await openDatabase(`sqlite:${join(folder, 'tasks.db')}`);
  onTestFinished(async () => {
    await database.close();
    rmSync(folder, { recursive: true, force: true });
  });
  return sqlTaskStore(database, { namespace });
}

const stores = [
  { place: 'in memory', open: async () => memoryTaskStore() },
  { place: 'on SQLite', open: sqliteStore },
];

test.each(stores)('I1: $place one of two instances leads, the other stands by and runs nothing', async ({ open }) => {
  const world = createWorld(START, { store: await open() });
  const a = world.scheduler(standby);
  const b = world.scheduler(standby);
  expect([a.watch.role(), b.watch.role()]).toEqual([null, null]);
  await a.scheduler.initialize([world.task('a', '* * * * *')]);
  await b.scheduler.initialize([world.task('a', '* * * * *')]);
  expect([a.watch.role(), b.watch.role()]).toEqual(['leader', 'standby']);
  await world.clock.advanceBy(180_000);
  expect(world.newRuns()).toEqual(['a boot 10:00:30', 'a cron 10:01:00', 'a cron 10:02:00', 'a cron 10:03:00']);
  expect(eventNames(b.watch.trace())).toEqual([
    'SchedulerInitializationStarted',
    'SchedulerRoleChanged',
    'SchedulerInitializationCompleted',
  ]);
  expect(b.watch.tasks()).toEqual([]);
  expect(b.watch.health()).toEqual({ ok: true, role: 'standby', tasks: 1, running: 0, storeFailedAt: null });
  await Promise.all([a.scheduler.stop(), b.scheduler.stop()]);
  expect([a.watch.role(), b.watch.role()]).toEqual([null, null]);
  expect(checkTrace(joined(a.watch.trace(), b.watch.trace()), { zone: 'UTC' })).toEqual([]);
});

test.each(stores)('I2: $place a leader that stops hands over at once, and its run is over first', async ({ open }) => {
  const world = createWorld(START, { store: await open() });
  const a = world.scheduler(standby);
  const b = world.scheduler(standby);
  const work = deferred();
  await a.scheduler.initialize([world.task('a', '1 10 * * *', { work: () => work.promise })]);
  await b.scheduler.initialize([world.task('a', '* * * * *')]);
  await world.clock.advanceBy(40_000);
  const stopped = a.scheduler.stop();
  await world.clock.advanceBy(20_000);
  expect(b.watch.role()).toBe('standby');
  work.resolve();
  await stopped;
  // In the same process not even a poll has to pass: the clock stands still.
  await vi.waitFor(() => expect(b.watch.role()).toBe('leader'));
  expect(roles(b.watch.trace())).toEqual(['standby', 'leader']);
  await world.clock.advanceTo('2026-03-01T10:02:30Z');
  expect(world.newRuns()).toEqual(['a cron 10:01:00', 'a cron 10:02:00']);
  await b.scheduler.stop();
  expect(checkTrace(joined(a.watch.trace(), b.watch.trace()), { zone: 'UTC' })).toEqual([]);
});

test('I2: a hand-over within a process reaches a standby with a connection of its own, and only its namespace', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'horae-instances-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const database = `sqlite:${join(folder, 'tasks.db')}`;
  const world = createWorld(START);
  const instance = (namespace: string) => world.scheduler({ store: sqlTaskStore(database, { namespace }), ...standby });
  const [a, b, otherLeader, other] = [instance('one'), instance('one'), instance('two'), instance('two')];
  for (const { scheduler } of [a, otherLeader, b, other]) await scheduler.initialize([world.task('a', '0 0 1 1 *')]);
  await a.scheduler.stop();
  await vi.waitFor(() => expect(b.watch.role()).toBe('leader'));
  expect([otherLeader.watch.role(), other.watch.role()]).toEqual(['leader', 'standby']);
  await Promise.all([b, otherLeader, other].map(({ scheduler }) => scheduler.stop()));
});

test('I3: the stop of a standby touches nobody', async () => {
  const world = createWorld(START);
  const a = world.scheduler(standby);
  const b = world.scheduler(standby);
  await a.scheduler.initialize([world.task('a', '* * * * *')]);
  await b.scheduler.initialize([]);
  await b.scheduler.stop();
  await world.clock.advanceBy(60_000);
  expect(a.watch.role()).toBe('leader');
  expect(world.newRuns()).toEqual(['a boot 10:00:30', 'a cron 10:01:00']);
  expect(eventNames(b.watch.trace()).slice(-2)).toEqual(['SchedulerStopRequested', 'SchedulerStopped']);
  await a.scheduler.stop();
});

/** A store whose calls never return while it is frozen, as those of a stopped process. */
function freezable(store: TaskStore) {
  const state = { isFrozen: false };
  const wrap =
    <Args extends unknown[], Result>(work: (...args: Args) => Promise<Result>) =>
    (...args: Args): Promise<Result> =>
      state.isFrozen ? new Promise<never>(() => {}) : work(...args);
  const frozen: TaskStore = {
    ...store,
    load: wrap(store.load),
    apply: wrap(store.apply),
    save: wrap(store.save),
    claim: wrap(async (claimant, over) => {
      const outcome = await store.claim!(claimant, over);
      if (outcome.kind === 'held') return outcome;
      const { lease } = outcome;
      return { kind: 'granted' as const, lease: { ...lease, renew: wrap(lease.renew), release: wrap(lease.release) } };
    }),
  };
  return { store: frozen, state };
}

test('I4: a leader without a heartbeat is replaced within 5 s; orphans first, missed occurrences once', async () => {
  const shared = memoryTaskStore();
  const world = createWorld(START, { store: shared });
  const { store, state } = freezable(shared);
  const a = world.scheduler({ ...standby, store });
  const b = world.scheduler(standby);
  const never = new Promise<void>(() => {});
  const tasks = [world.task('stuck', '1 10 * * *'), world.task('often', '* * * * *')];
  await a.scheduler.initialize([world.task('stuck', '1 10 * * *', { work: () => never }), tasks[1]!]);
  await b.scheduler.initialize(tasks);
  await world.clock.advanceTo('2026-03-01T10:01:10Z');
  state.isFrozen = true;
  world.newRuns();
  await world.clock.advanceBy(4_999);
  expect(b.watch.role()).toBe('leader');
  expect(world.newRuns()).toEqual([expect.stringMatching(/^stuck orphan 10:01:1[45]/)]);
  await world.clock.advanceTo('2026-03-01T10:03:30Z');
  expect(world.newRuns()).toEqual(['often cron 10:02:00', 'often cron 10:03:00']);
  await b.scheduler.stop();
});

test('I5: a leader that lost its lease starts nothing, aborts its runs, records nothing, and stands by', async () => {
  const shared = memoryTaskStore();
  const world = createWorld(START, { store: shared });
  const a = world.scheduler(standby);
  let reason: unknown;
  const work = deferred();
  await a.scheduler.initialize([
    world.task('long', '1 10 * * *', {
      work: ({ signal }) => {
        signal.addEventListener('abort', () => {
          reason = signal.reason;
        });
        return work.promise;
      },
    }),
    world.task('often', '* * * * *'),
  ]);
  await world.clock.advanceTo('2026-03-01T10:01:10Z');
  const thief = { owner: 'thief', host: 'elsewhere', pid: 7, machine: 'elsewhere', processStart: '' };
  const held = await shared.claim!(thief);
  const taken = await shared.claim!(thief, (held as ClaimOutcome & { kind: 'held' }).holder);
  expect(taken.kind).toBe('granted');
  world.newRuns();
  await world.clock.advanceBy(1_000);
  expect(a.watch.role()).toBe('standby');
  expect(reason).toBeInstanceOf(LeaseLostError);
  work.resolve();
  await world.clock.advanceBy(2_000);
  expect(taskEvents(a.watch.trace()).filter((event) => event.includes('long'))).toEqual(['TaskRunStarted long cron']);
  const stored = (await shared.load()) as { name: string; runningSchedulerId: string | null }[];
  expect(stored.find(({ name }) => name === 'long')!.runningSchedulerId).not.toBeNull();
  expect(world.newRuns()).toEqual([]);
  // The thief never renews: the lease runs out, and the old leader takes it back like a boot.
  await world.clock.advanceBy(5_000);
  expect(roles(a.watch.trace())).toEqual(['leader', 'standby', 'leader']);
  expect(world.newRuns()).toEqual([expect.stringContaining('long orphan')]);
  await a.scheduler.stop();
});

test('I6: after a suspension nothing starts before the lease is renewed', async () => {
  const shared = memoryTaskStore();
  const world = createWorld(START, { store: shared });
  const { store, state } = freezable(shared);
  const a = world.scheduler({ ...standby, store: { ...store, save: shared.save } });
  await a.scheduler.initialize([world.task('a', '* * * * *')]);
  world.newRuns();
  // Heartbeats hang, writes would work: only elapsed time keeps the leader from starting.
  state.isFrozen = true;
  await world.clock.advanceBy(120_000);
  expect(world.newRuns()).toEqual([]);
  expect(a.watch.role()).toBe('leader');
});

test('I7: with instances one, initialize rejects while another process leads, and names it', async () => {
  const world = createWorld(START, { store: await sqliteStore('night') });
  const a = world.scheduler({ instances: 'one' });
  const b = world.scheduler({ instances: 'one' });
  await a.scheduler.initialize([world.task('a', '* * * * *')]);
  const error = await b.scheduler.initialize([world.task('a', '* * * * *')]).catch((caught: unknown) => caught);
  expect(error).toBeInstanceOf(NamespaceBusyError);
  expect(error).toMatchObject({ code: 'namespace-busy', details: { namespace: 'night', pid: process.pid } });
  const { host, pid } = (error as NamespaceBusyError).details;
  expect((error as Error).message).toContain(host);
  expect((error as Error).message).toContain(String(pid));
  expect(eventNames(b.watch.trace())).toEqual(['SchedulerInitializationStarted', 'SchedulerInitializationFailed']);
  expect(b.watch.role()).toBeNull();
  await a.scheduler.stop();
  await b.scheduler.initialize([]);
  expect(b.watch.role()).toBe('leader');
  await b.scheduler.stop();
});

test('I8: alone there is no lease, and the trace is the bare specification; a listener still hears the role', async () => {
  const world = createWorld(START);
  const { scheduler, watch } = world.scheduler();
  const heard: unknown[] = [];
  watch.on('SchedulerRoleChanged', ({ role }) => heard.push(role));
  await scheduler.initialize([]);
  expect(watch.role()).toBe('leader');
  expect(heard).toEqual(['leader']);
  expect(eventNames(watch.trace())).toEqual(['SchedulerInitializationStarted', 'SchedulerInitializationCompleted']);
  await scheduler.stop();
  expect(watch.role()).toBeNull();
});

test('I9: unknown instances, and a lease on a store without claim, are refused at createScheduler', () => {
  const { claim: _, ...bare } = memoryTaskStore();
  expect(() => createScheduler({ instances: 'many' as never })).toThrow(SchedulerOptionError);
  expect(() => createScheduler({ store: bare, instances: 'one' })).toThrow(/needs a store with claim/);
  expect(() => createScheduler({ store: bare, instances: 'standby' })).toThrow(SchedulerOptionError);
  expect(() => createScheduler({ store: bare })).not.toThrow();
});

test('I10: a standby keeps trying while the database fails, and says so', async () => {
  const shared = memoryTaskStore();
  const world = createWorld(START, { store: shared });
  const a = world.scheduler(standby);
  await a.scheduler.initialize([]);
  let isDown = false;
  const claim: TaskStore['claim'] = async (...args) => {
    if (isDown) throw new Error('down');
    return shared.claim!(...args);
  };
  const b = world.scheduler({ ...standby, store: { ...shared, claim } });
  await b.scheduler.initialize([]);
  isDown = true;
  await world.clock.advanceBy(10_000);
  expect(b.watch.health()).toMatchObject({ ok: false, role: 'standby', storeFailedAt: expect.any(Number) });
  expect(eventNames(b.watch.trace()).filter((name) => name === 'StoreFailed')).toHaveLength(1);
  isDown = false;
  await a.scheduler.stop();
  await world.clock.advanceBy(2_000);
  expect(b.watch.health()).toMatchObject({ ok: true, role: 'leader', storeFailedAt: null });
  await b.scheduler.stop();
});

test('I11: with two instances on one database the default is standby', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'horae-instances-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const database = `sqlite:${join(folder, 'tasks.db')}`;
  const world = createWorld(START);
  const options = { store: undefined as never, database };
  const a = world.scheduler(options);
  const b = world.scheduler(options);
  await a.scheduler.initialize([world.task('a', '* * * * *')]);
  await b.scheduler.initialize([world.task('a', '* * * * *')]);
  expect([a.watch.role(), b.watch.role()]).toEqual(['leader', 'standby']);
  await a.scheduler.stop();
  await world.clock.advanceBy(1_000);
  expect(b.watch.role()).toBe('leader');
  await b.scheduler.stop();
});
