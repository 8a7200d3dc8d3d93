import { type HoraeDatabase, openDatabase } from '@horae/clock-store/storage';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { createExecutor, type RingOptions, type SharedEvent, startTimeRing, type TimeRing } from '../../src/index.js';
import { networkPlace, onEveryDatabase } from '../support/network-databases.js';
import { eventually } from '../support/network-stage.js';
import { recordedLog } from '../support/recorded-log.js';
import { listenToEvents } from '../support/ring-server-stage.js';
import { NEVER } from '../support/ring-stage.js';

/** A node in its own right, on a connection of its own, in the machine's time. */
async function startNode(nodeId: string, options: Partial<RingOptions> = {}): Promise<TimeRing> {
  const ring = await startTimeRing({ ...networkPlace(), nodeId, ...options });
  onTestFinished(() => ring.stop({ deadlineMs: 0 }));
  return ring;
}

/** Listens to all events, and waits until the other nodes know. */
async function listenToAll(ring: TimeRing, ...others: TimeRing[]): Promise<SharedEvent[]> {
  const told: SharedEvent[] = [];
  onTestFinished(ring.events.onAll((event) => void told.push(event)));
  for (const other of others) {
    const { id } = await other.jobs.add({ name: 'probe', handler: 'probe', schedule: NEVER });
    await eventually(async () => {
      await other.jobs.update(id, { owner: String(told.length) });
      expect(told.some(({ nodeId }) => nodeId === other.health().nodeId)).toBe(true);
    });
    await other.jobs.remove(id);
    await eventually(() =>
      expect(told.findLast(({ nodeId }) => nodeId === other.health().nodeId)?.name).toBe('job-removed'),
    );
  }
  told.splice(0);
  return told;
}

const short = ({ name, nodeId }: SharedEvent) => `${nodeId} ${name}`;

onEveryDatabase(() => {
  test('point 5: a node hears what happens to jobs, runs and executors on all nodes, each once and in the order of its node', async () => {
    const [here, there] = [await startNode('here'), await startNode('there')];
    const told = await listenToAll(here, there);
    const first = await there.jobs.add({ name: 'work', handler: 'work', schedule: NEVER, executorGroup: 'theirs' });
    await createExecutor({ ring: there, group: 'theirs', address: 'over-there', handlers: { work: () => 'done' } });
    await there.jobs.trigger(first.id, { params: { text: 'grüße \u0000' } });
    const mine = await here.jobs.add({ name: 'own', handler: 'own', schedule: NEVER });
    await here.jobs.remove(mine.id);
    await eventually(() => expect(told.map(short)).toContain('there run-succeeded'));
    expect(told.map(short).filter((text) => text.startsWith('there'))).toEqual([
      ...['there job-added', 'there executor-registered', 'there run-started', 'there run-succeeded'],
    ]);
    expect(told.map(short).filter((text) => text.startsWith('here'))).toEqual(['here job-added', 'here job-removed']);
    const end = told.find(({ name }) => name === 'run-succeeded')!;
    expect(end.event).toMatchObject({ run: { jobId: first.id, result: 'done', params: { text: 'grüße \u0000' } } });
    expect(Math.abs(end.at - (end.event as { run: { endedAt: number } }).run.endedAt)).toBeLessThan(5_000);
  });

  test('point 5: many events of two nodes all arrive, in the order of each node', async () => {
    const [here, ...others] = [await startNode('here'), await startNode('one'), await startNode('two')];
    const told = await listenToAll(here!, ...others);
    const ids = new Map<string, number[]>();
    for (const ring of others) {
      const { nodeId } = ring.health();
      const added = await Promise.all(
        Array.from({ length: 60 }, (_, i) => ring.jobs.add({ name: `${nodeId} ${i}`, handler: 'x', schedule: NEVER })),
      );
      ids.set(
        nodeId,
        added.map(({ id }) => id),
      );
    }
    await eventually(() => expect(told.length).toBeGreaterThanOrEqual(120));
    for (const [nodeId, expected] of ids) {
      const heard = told.filter((event) => event.nodeId === nodeId).map((each) => jobIdOf(each));
      expect(heard.length).toBe(60);
      expect([...heard].sort((a, b) => a - b)).toEqual([...expected].sort((a, b) => a - b));
    }
  });

  test('point 5: a listener that throws or rejects hurts nobody, and one that has left hears nothing', async () => {
    const log = recordedLog({ now: () => 0 });
    const [here, there] = [await startNode('here', { log: log.log }), await startNode('there')];
    const left: SharedEvent[] = [];
    const leave = here.events.onAll((event) => void left.push(event));
    here.events.onAll(() => {
      throw new Error('bad listener');
    });
    here.events.onAll((async () => {
      throw new Error('worse listener');
    }) as () => void);
    leave();
    leave();
    const told = await listenToAll(here, there);
    await there.jobs.add({ name: 'work', handler: 'work', schedule: NEVER });
    await eventually(() => expect(told.map(short)).toEqual(['there job-added']));
    expect(left).toEqual([]);
    expect(log.lines.map(({ message }) => message)).toContain('A listener of an event threw');
    await eventually(() => expect(here.health().status).toBe('ok'));
  });

  test('point 5: what happened before the call is not told, though another node was told', async () => {
    const [here, there, late] = [await startNode('here'), await startNode('there'), await startNode('late')];
    const told = await listenToAll(here, there);
    await there.jobs.add({ name: 'before', handler: 'x', schedule: NEVER });
    await eventually(() => expect(told.length).toBe(1));
    const later: SharedEvent[] = [];
    late.events.onAll((event) => void later.push(event));
    await there.jobs.add({ name: 'after', handler: 'x', schedule: NEVER });
    await eventually(() => expect(later.length).toBe(1));
    expect(later[0]!.event).toMatchObject({ job: { name: 'after' } });
  });

  test('point 5: nothing is written while nobody listens, and no more when nobody does any longer', async () => {
    const [here, there] = [await startNode('here'), await startNode('there')];
    await there.jobs.add({ name: 'unheard', handler: 'x', schedule: NEVER });
    await passes(there, 2);
    expect(await eventRows()).toBe(0);
    const end = here.events.onAll(() => {});
    await eventually(async () => {
      await there.jobs.add({ name: 'heard', handler: 'x', schedule: NEVER });
      expect(await eventRows()).toBeGreaterThan(0);
    });
    end();
    await passes(here, 2);
    await passes(there, 2);
    const rows = await eventRows();
    await there.jobs.add({ name: 'unheard again', handler: 'x', schedule: NEVER });
    await passes(there, 1);
    expect(await eventRows()).toBe(rows);
  });

  test('point 5: the event stream of one node shows the events of all', async () => {
    const [here, there] = [await startNode('here', { http: { port: 0 } }), await startNode('there')];
    const { stream, text } = await listenToEvents(here.http!.url);
    onTestFinished(() => void stream.destroy());
    const { id } = await there.jobs.add({ name: 'theirs', handler: 'x', schedule: NEVER });
    await eventually(async () => {
      await there.jobs.update(id, { owner: String(text().length) });
      expect(text()).toContain('event: job-updated');
    });
    await eventually(() => expect(text()).toContain('event: pass-completed'));
  });

  test('point 5: a node that stops tells how its last run ended', async () => {
    const [here, there] = [await startNode('here'), await startNode('there')];
    const told = await listenToAll(here, there);
    const { id } = await there.jobs.add({ name: 'work', handler: 'work', schedule: NEVER });
    let begin = () => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const work = ({ signal }: { signal: AbortSignal }) => {
      begin();
      return new Promise((resolve) => signal.addEventListener('abort', resolve));
    };
    await createExecutor({ ring: there, handlers: { work } });
    const run = await there.jobs.trigger(id);
    await begun;
    await there.stop({ deadlineMs: 0, abandon: 'fail' });
    await eventually(() => expect(told.map(short)).toContain('there run-failed'));
    expect(told.find(({ name }) => name === 'run-failed')!.event).toMatchObject({ run: { id: run.id } });
  });
});

function jobIdOf({ event }: SharedEvent): number {
  return (event as { job: { id: number } }).job.id;
}

async function passes(ring: TimeRing, count: number): Promise<void> {
  const before = ring.metrics().passes;
  await eventually(() => expect(ring.metrics().passes).toBeGreaterThanOrEqual(before + count));
}

async function eventRows(): Promise<number> {
  const database: HoraeDatabase = await openDatabase(networkPlace().database);
  const { rows } = await sql<{ n: number }>`select count(*) as n from horae_ring_events`.execute(database.kysely);
  await database.close();
  return Number(rows[0]!.n);
}
