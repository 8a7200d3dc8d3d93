import { readdir, readFile } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { connectTimeRing, createExecutor, type Handler, type RingClient, startTimeRing } from '../../src/index.js';
import { networkPlace, onEveryDatabase } from '../support/network-databases.js';
import { eventually, heldHandler, networkStage, remoteExecutor, verbs } from '../support/network-stage.js';
import { createStage } from '../support/ring-stage.js';

async function connected(): Promise<RingClient> {
  const client = await connectTimeRing({ database: networkPlace().database });
  onTestFinished(() => client.close());
  return client;
}

async function worker(handlers: Record<string, Handler>) {
  const ring = await startTimeRing({ ...networkPlace(), nodeId: 'worker' });
  onTestFinished(() => ring.stop({ deadlineMs: 0 }));
  await createExecutor({ ring, handlers, address: 'here' });
  return { ring, ...verbs(ring) };
}

const byHand = { name: 'work', handler: 'work', schedule: { kind: 'none' } } as const;

onEveryDatabase(() => {
  test('point 26: what a client triggers, a node does; both see the same', async () => {
    const client = await connected();
    const job = await client.jobs.add(byHand);
    const early = await client.jobs.trigger(job.id, { params: { before: 'any node' } });
    expect(early).toMatchObject({ state: 'pending', params: { before: 'any node' }, attempt: 1 });
    const { ring, ended } = await worker({ work: ({ params }) => params });
    expect(await ended(early.id)).toMatchObject({ state: 'succeeded', address: 'here', attempt: 1 });
    const late = await client.jobs.trigger(job.id);
    await ended(late.id);
    expect((await client.runs.list()).runs).toEqual((await ring.runs.list()).runs);
    expect(await client.executors.list()).toMatchObject([{ address: 'here', nodeId: 'worker', handlers: ['work'] }]);
    expect(await client.jobs.get(job.id)).toEqual(await ring.jobs.get(job.id));
    await expect(client.jobs.trigger(job.id, { address: 'http://nobody' })).rejects.toMatchObject({
      code: 'unknown-executor',
    });
  });

  test('a backlog is worked off as fast as there is room, and not batch by batch at each second', async () => {
    await using stage = await createStage();
    const client = await connectTimeRing({ database: stage.database, clock: stage.clock });
    await client.jobs.put({ ...byHand, key: 'work', block: 'CONCURRENT', concurrency: 100 });
    await client.jobs.triggerMany(
      'work',
      Array.from({ length: 95 }, (_, n) => ({ params: n })),
    );
    await client.close();
    const ring = await stage.node({ batchLimit: 10, pools: { fast: { size: 5, queue: 15 } } });
    const done: unknown[] = [];
    await createExecutor({ ring, handlers: { work: ({ params }) => void done.push(params) } });
    await stage.clock.advanceBy(1_000);
    expect(done.sort((a, b) => Number(a) - Number(b))).toEqual(Array.from({ length: 95 }, (_, n) => n));
  });

  test('point 26: a client changes jobs, starts and stops them, and no pass of its own fires them', async () => {
    const client = await connected();
    const schedule = { kind: 'fix-rate', everyMs: 1_000 } as const;
    const job = await client.jobs.add({ ...byHand, schedule, start: true });
    expect(job).toMatchObject({ state: 'RUNNING', nextAt: expect.any(Number) });
    expect(await client.jobs.update(job.id, { description: 'told' })).toMatchObject({ description: 'told' });
    expect(await client.jobs.stop(job.id)).toMatchObject({ state: 'STOPPED', nextAt: null });
    await client.jobs.start(job.id);
    const { ring } = await worker({ work: () => {} });
    await eventually(async () => expect((await client.runs.list({ state: 'succeeded' })).runs).not.toEqual([]));
    await client.jobs.remove(job.id);
    expect(await ring.jobs.get(job.id)).toBeNull();
  });

  test('point 26: a client kills what a node runs, and what nobody has', async () => {
    const client = await connected();
    const signals: AbortSignal[] = [];
    const { ring, ended } = await worker({
      work({ signal }) {
        signals.push(signal);
        return new Promise((_, reject) => signal.addEventListener('abort', reject));
      },
    });
    const job = await client.jobs.add(byHand);
    const run = await client.jobs.trigger(job.id);
    await eventually(() => expect(signals).toHaveLength(1));
    expect(await client.runs.kill(run.id)).toBe(true);
    expect(await ended(run.id)).toMatchObject({ state: 'killed', message: 'Killed by a user' });
    await eventually(() => expect(signals[0]!.aborted).toBe(true));
    expect(await client.runs.kill(run.id)).toBe(false);
    await ring.stop({ deadlineMs: 0 });
    const waiting = await client.jobs.trigger(job.id);
    expect(await client.runs.kill(waiting.id)).toBe(true);
    expect(await client.runs.get(waiting.id)).toMatchObject({ state: 'killed' });
    await expect(client.runs.kill(99_999)).rejects.toMatchObject({ code: 'unknown-run' });
  });

  test('point 26: a client kills runs of remote executors and reads their logs', async () => {
    const stage = await networkStage();
    const { handler, begun } = heldHandler();
    await remoteExecutor({
      ring: stage.url,
      handlers: {
        work(context) {
          context.log('said on another machine');
          return handler(context);
        },
      },
    });
    await stage.registered(1);
    const client = await connected();
    const { id } = await client.jobs.add(byHand);
    const run = await client.jobs.trigger(id);
    await begun(run.id);
    await stage.accepted(run.id);
    expect((await client.runs.log(run.id)).lines.join()).toContain('said on another machine');
    // The executor's own report of the aborted run may come to its node first, as it may between two nodes.
    await client.runs.kill(run.id);
    expect((await stage.ended(run.id)).state).toMatch(/^(killed|failed)$/);
  });

  test('point 26: a client that is closed refuses, and closes twice', async () => {
    const client = await connected();
    await client.close();
    await client.stop();
    await expect(client.jobs.list()).rejects.toMatchObject({ code: 'stopped' });
  });
}, ['lock-row']);

const SOURCE = fileURLToPath(new URL('../../src/', import.meta.url));

/** What a source file makes node load: its imports and exports but those of types alone. */
async function loadedBy(file: string): Promise<string[]> {
  const text = await readFile(file, 'utf8');
  return [...text.matchAll(/^(?:import|export)\s+(?!type\b)[^;]*?from '(\.[^']+)\.js';/gms)].map(([, specifier]) =>
    join(dirname(file), `${specifier}.ts`),
  );
}

test('point 26: a client loads no loop, claim, dispatch, slot or server of the engine', async () => {
  const seen = new Set<string>();
  const left = [join(SOURCE, 'connect-time-ring.ts')];
  for (let file = left.pop(); file !== undefined; file = left.pop()) {
    if (seen.has(file)) continue;
    seen.add(file);
    left.push(...(await loadedBy(file)));
  }
  const rooms = new Set([...seen].map((file) => dirname(relative(SOURCE, file))));
  expect(seen.size).toBeGreaterThan(20);
  const forbidden = ['engine', 'engine/claim', 'engine/upkeep', 'wheel', 'server', 'admin', 'remote-executor'];
  for (const room of forbidden) {
    expect((await readdir(join(SOURCE, room))).length).toBeGreaterThan(0);
    expect([...rooms]).not.toContain(room);
  }
  expect([...seen].filter((file) => /engine\/dispatch/.test(file)).map((file) => relative(SOURCE, file))).toEqual([
    'engine/dispatch/group-members.ts',
  ]);
});
