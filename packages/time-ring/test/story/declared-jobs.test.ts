import { expect, test } from 'vitest';
import type { JobInput } from '../../src/index.js';
import { onEveryDatabase } from '../support/network-databases.js';
import { createRingStage, EVERY_SECOND, NEVER, START } from '../support/ring-stage.js';

const NIGHTLY = { kind: 'cron', expression: '0 0 3 * * ?' } as const;

const nightly = (change: Partial<JobInput & { key: string }> = {}): JobInput & { key: string } => ({
  key: 'nightly',
  name: 'Nightly',
  handler: 'work',
  schedule: NIGHTLY,
  ...change,
});

onEveryDatabase(() => {
  test('a key is taken wherever an id is: get, update, start, stop, trigger, triggerRange, runs.list, remove', async () => {
    await using stage = await createRingStage();
    const { jobs, runs } = stage.ring;
    const job = await jobs.add({ ...nightly(), key: 'mail/42 ä' });
    const key = 'mail/42 ä';
    expect(await jobs.get(key)).toEqual(job);
    expect(await jobs.get('mail')).toBeNull();
    expect(await jobs.update(key, { description: 'said' })).toMatchObject({ id: job.id, description: 'said' });
    expect(await jobs.start(key)).toMatchObject({ id: job.id, state: 'RUNNING' });
    expect(await jobs.stop(key)).toMatchObject({ id: job.id, state: 'STOPPED' });
    const run = await jobs.trigger(key);
    expect(run).toMatchObject({ jobId: job.id });
    const range = await jobs.triggerRange(key, { from: START, to: START + 86_400_000 });
    expect(range.runs).toHaveLength(1);
    expect((await runs.list({ jobId: key })).runs.map(({ id }) => id)).toEqual([range.runs[0]!.id, run.id]);
    expect((await runs.list({ jobId: 'nobody' })).runs).toEqual([]);
    const calls = [
      () => jobs.update('no', {}),
      () => jobs.start('no'),
      () => jobs.stop('no'),
      () => jobs.trigger('no'),
    ];
    for (const call of calls) {
      await expect(call()).rejects.toMatchObject({ code: 'unknown-job', details: { value: 'no' } });
    }
    await jobs.remove(key);
    expect(await jobs.get(job.id)).toBeNull();
    await expect(jobs.remove(key)).rejects.toMatchObject({ code: 'unknown-job' });
  });

  test('put adds and starts a job, leaves it alone when nothing has changed, and changes it otherwise', async () => {
    await using stage = await createRingStage();
    const { jobs } = stage.ring;
    const labels = { a: '1', b: '2' };
    const added = await jobs.put(nightly({ params: { x: 1, y: [2] }, labels }));
    expect(added).toMatchObject({ outcome: 'added', job: { id: 1, state: 'RUNNING', nextAt: START + 3 * 3_600_000 } });
    expect(stage.names()).toEqual(['job-added', 'job-started']);
    await stage.clock.advanceBy(10);
    const same = await jobs.put(nightly({ params: { y: [2], x: 1 }, labels: { b: '2', a: '1' } }));
    expect(same).toEqual({ outcome: 'unchanged', job: added.job });
    expect(stage.names()).toEqual(['job-added', 'job-started']);
    // What is left out is its default: the whole declaration counts.
    const changed = await jobs.put(nightly());
    expect(changed).toMatchObject({ outcome: 'updated', job: { params: null, labels: {}, nextAt: added.job.nextAt } });
    expect(changed.job.updatedAt).toBe(START + 10);
    expect(stage.names()).toEqual(['job-added', 'job-started', 'job-updated']);
    const moved = await jobs.put(nightly({ schedule: { kind: 'fix-rate', everyMs: 2_000 } }));
    expect(moved).toMatchObject({ outcome: 'updated', job: { nextAt: START + 2_010 } });
  });

  test('a changed schedule withdraws what was claimed under the old one', async () => {
    await using stage = await createRingStage();
    await stage.ring.jobs.put(nightly({ schedule: EVERY_SECOND }));
    await stage.clock.advanceBy(1_000);
    expect((await stage.runs({ state: 'pending' })).length).toBeGreaterThan(0);
    await stage.ring.jobs.put(nightly());
    expect(await stage.runs({ state: 'pending', triggerType: 'schedule' })).toEqual([]);
  });

  test('put never stops a job, and a job stopped by hand stays stopped', async () => {
    await using stage = await createRingStage();
    const { jobs } = stage.ring;
    await jobs.put(nightly());
    expect((await jobs.put({ ...nightly({ priority: 1 }), start: false })).job.state).toBe('RUNNING');
    await jobs.stop('nightly');
    const put = await jobs.put(nightly({ schedule: EVERY_SECOND }));
    expect(put).toMatchObject({ outcome: 'updated', job: { state: 'STOPPED', stopReason: { code: 'user' } } });
  });

  test('start: false leaves a new job stopped; kind none stays stopped without an error', async () => {
    await using stage = await createRingStage();
    const { jobs } = stage.ring;
    expect((await jobs.put({ ...nightly(), start: false })).job).toMatchObject({ state: 'STOPPED', nextAt: null });
    expect((await jobs.put(nightly({ key: 'manual', schedule: NEVER }))).job.state).toBe('STOPPED');
    // Nobody has stopped it by hand: with a schedule it runs.
    expect((await jobs.put(nightly({ key: 'manual' }))).job.state).toBe('RUNNING');
  });

  test('a new schedule starts a job again that the engine had stopped', async () => {
    await using stage = await createRingStage();
    const { jobs } = stage.ring;
    const past = { kind: 'cron', expression: '0 0 3 1 1 ? 2020' } as const;
    expect((await jobs.put(nightly({ schedule: past }))).job.stopReason).toMatchObject({ code: 'no-next-time' });
    expect((await jobs.put({ ...nightly(), start: false })).job.state).toBe('STOPPED');
    await jobs.put(nightly({ schedule: past }));
    const { outcome, job } = await jobs.put(nightly());
    expect({ outcome, state: job.state }).toEqual({ outcome: 'updated', state: 'RUNNING' });
  });

  test('any number of nodes at once leave one job, and every loser hears unchanged', async () => {
    await using stage = await createRingStage();
    const other = await stage.node();
    const rings = Array.from({ length: 12 }, (_, i) => (i % 2 === 0 ? stage.ring : other));
    const outcomes = await Promise.all(rings.map(async ({ jobs }) => (await jobs.put(nightly())).outcome));
    expect(outcomes.filter((outcome) => outcome === 'added')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'unchanged')).toHaveLength(11);
    expect((await stage.ring.jobs.list()).jobs).toHaveLength(1);
    const again = await Promise.all(rings.map(async ({ jobs }) => (await jobs.put(nightly({ priority: 7 }))).outcome));
    expect(again.filter((outcome) => outcome === 'updated')).toHaveLength(1);
    expect(again.filter((outcome) => outcome === 'unchanged')).toHaveLength(11);
  });

  test('what cannot be declared is refused before anything is written', async () => {
    await using stage = await createRingStage();
    const { jobs } = stage.ring;
    const refused = (job: object, code: string, field: string) =>
      expect(jobs.put(job as never)).rejects.toMatchObject({ code, details: { field } });
    await refused({ ...nightly(), key: undefined }, 'bad-job', 'key');
    await refused({ ...nightly(), key: '12' }, 'bad-job', 'key');
    await refused({ ...nightly(), start: 'yes' }, 'bad-job', 'start');
    await refused({ ...nightly(), colour: 'red' }, 'bad-job', 'colour');
    await refused({ ...nightly(), children: [7] }, 'unknown-child', 'children');
    await refused({ ...nightly(), params: 'x'.repeat(70_000) }, 'params-too-large', 'params');
    expect((await jobs.list()).jobs).toEqual([]);
  });

  test('sync declares a list, tells what it did, and removes only what its namespace no longer has', async () => {
    await using stage = await createRingStage();
    const { jobs } = stage.ring;
    await jobs.put(nightly({ key: 'unsynced' }));
    const a = nightly({ key: 'a' });
    const b = nightly({ key: 'b' });
    const first = await jobs.sync([a, b], { namespace: 'one' });
    expect(first).toEqual({ added: ['a', 'b'], updated: [], unchanged: [], removed: [] });
    expect(await jobs.get('a')).toMatchObject({ namespace: 'one', state: 'RUNNING' });
    expect(await jobs.get('unsynced')).toMatchObject({ namespace: null });
    await jobs.sync([nightly({ key: 'c' })]);
    expect(await jobs.get('c')).toMatchObject({ namespace: 'default' });
    const kept = await jobs.sync([b], { namespace: 'one' });
    expect(kept).toEqual({ added: [], updated: [], unchanged: ['b'], removed: [] });
    const changed = { ...b, priority: 3 };
    const second = await jobs.sync([changed, nightly({ key: 'd' })], { namespace: 'one', removeOthers: true });
    expect(second).toEqual({ added: ['d'], updated: ['b'], unchanged: [], removed: ['a'] });
    expect((await jobs.list()).jobs.map(({ key }) => key)).toEqual(['unsynced', 'b', 'c', 'd']);
    expect(stage.names().filter((name) => name === 'job-removed')).toHaveLength(1);
    expect(await jobs.sync([], { namespace: 'one', removeOthers: true })).toMatchObject({ removed: ['b', 'd'] });
  });

  test('a job that was never synced is taken over by the first sync; one of another namespace is not', async () => {
    await using stage = await createRingStage();
    const { jobs } = stage.ring;
    await jobs.put(nightly());
    expect(await jobs.sync([nightly()], { namespace: 'one' })).toMatchObject({ updated: ['nightly'] });
    expect(await jobs.get('nightly')).toMatchObject({ namespace: 'one', state: 'RUNNING' });
    const list = [nightly({ key: 'new' }), nightly({ priority: 9 })];
    await expect(jobs.sync(list, { namespace: 'two' })).rejects.toMatchObject({ code: 'key-taken' });
    expect(await jobs.get('new')).toBeNull();
    expect(await jobs.get('nightly')).toMatchObject({ namespace: 'one', priority: 0 });
    // put and update leave a job in its namespace.
    expect((await jobs.put(nightly({ priority: 1 }))).job.namespace).toBe('one');
  });

  test('a list is checked whole: one bad job or a key twice, and nothing is written', async () => {
    await using stage = await createRingStage();
    const { jobs } = stage.ring;
    const good = nightly({ key: 'good' });
    await expect(jobs.sync([good, good])).rejects.toMatchObject({ code: 'bad-job', details: { field: 'key' } });
    await expect(jobs.sync([good, { ...good, key: 'x', route: 'NO' as never }])).rejects.toMatchObject({
      code: 'bad-job',
    });
    await expect(jobs.sync([good], { namespace: '' })).rejects.toMatchObject({ code: 'bad-job' });
    expect((await jobs.list()).jobs).toEqual([]);
  });

  test('nodes that sync the same list at once leave each job once', async () => {
    await using stage = await createRingStage();
    const other = await stage.node();
    const list = ['a', 'b', 'c'].map((key) => nightly({ key }));
    const reports = await Promise.all([stage.ring, other, stage.ring, other].map(({ jobs }) => jobs.sync(list)));
    expect(reports.flatMap(({ added }) => added).sort()).toEqual(['a', 'b', 'c']);
    expect(reports.flatMap(({ unchanged }) => unchanged)).toHaveLength(9);
    expect((await stage.ring.jobs.list()).jobs).toHaveLength(3);
  });
}, ['lock-row']);
