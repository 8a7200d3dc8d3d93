import { systemClock } from '@horae/clock-store';
import { openDatabase } from '@horae/clock-store/storage';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createRingAdmin } from '../../src/admin.js';
import { createExecutor, startTimeRing, type TimeRing } from '../../src/index.js';
import { networkPlace, onEveryDatabase } from '../support/network-databases.js';
import { eventually } from '../support/network-stage.js';

const HOUR = 3_600_000;

async function stage(database = 'sqlite::memory:') {
  const ring = await startTimeRing({ database, zone: 'Europe/Berlin' });
  onTestFinished(() => ring.stop({ deadlineMs: 0 }));
  await createExecutor({
    ring,
    handlers: {
      good: () => 'fine',
      bad: () => {
        throw new Error('no');
      },
    },
  });
  const admin = createRingAdmin(ring);
  onTestFinished(() => admin.close());
  const ask = async (method: string, path: string, body?: unknown) => {
    const [bare = '', query = ''] = path.split('?');
    const init = { method, headers: { 'content-type': 'application/json' } };
    const request = new Request(`http://ring.example${path}`, {
      ...init,
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const response = await admin.fetch(request, bare, query);
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  };
  return { ring, admin, ask };
}

onEveryDatabase(() => {
  test('a report counts runs by hour and state, and names the jobs that fail', async () => {
    const { ring, ask } = await stage(networkPlace().database);
    const good = await ring.jobs.add({ name: 'good', handler: 'good', schedule: { kind: 'none' } });
    const bad = await ring.jobs.add({
      ...{ name: 'bad', handler: 'bad', schedule: { kind: 'none' as const }, executorGroup: 'default' },
    });
    for (const { id } of [good, good, bad]) await ring.jobs.trigger(id);
    const ended = await eventually(async () => {
      const { runs } = await ring.runs.list({});
      if (runs.some(({ endedAt }) => endedAt === null) || runs.length < 3) throw new Error('not over');
      return Math.min(...runs.map(({ endedAt }) => endedAt!));
    });
    const window = `from=${ended - 3_600_000}&to=${ended + 3_600_000}`;
    const { status, body } = await ask('GET', `/admin/report?${window}`);
    expect(status).toBe(200);
    const total = (state: string) =>
      body.hours.reduce((sum: number, hour: Record<string, number>) => sum + hour[state]!, 0);
    expect([total('succeeded'), total('failed')]).toEqual([2, 1]);
    expect(body.failing).toMatchObject([{ jobId: bad.id, name: 'bad', runs: 1, failed: 1 }]);
    expect(body.slowest.length).toBe(2);
    expect(body.dead).toBe(1);
    expect(body.open).toEqual({ pending: 0, queued: 0, running: 0, late: 0 });
    expect((await ask('GET', '/admin/nodes')).body.nodes).toMatchObject([{ isAlive: true }]);
    expect((await ask('GET', `/admin/runs/1`)).body.traceId).toBeNull();
    expect((await ask('GET', `/admin/report?${window}&groups=["other"]`)).body.hours).toEqual([]);
    const later = await ask('GET', `/admin/report?from=${ended + 3_600_000}&to=${ended + 7_200_000}`);
    expect(later.body.hours).toEqual([]);
  });

  test('hours that are over are counted once, by group, and stay when their runs are gone', async () => {
    const { ring, ask } = await stage(networkPlace().database);
    const job = { handler: 'good', schedule: { kind: 'none' } as const };
    const one = await ring.jobs.add({ ...job, name: 'one' });
    const two = await ring.jobs.add({ ...job, name: 'two', executorGroup: 'other ä' });
    const database = await openDatabase(networkPlace().database);
    onTestFinished(() => database.close());
    const hour = Math.floor(systemClock().now() / HOUR) * HOUR;
    const write = (jobId: number, state: string, endedAt: number) =>
      sql`insert into horae_ring_runs (job_id, fired_at, started_at, ended_at, attempt, shard_index, shard_total, fence, bucket,
          trigger_type, state, ready_at)
        values (${jobId}, 1, 1, ${endedAt}, 1, 0, 1, 1, 0, 'manual', ${state}, 1)`.execute(database.kysely);
    for (const [jobId, state, endedAt] of [
      [one.id, 'succeeded', hour - 5 * HOUR],
      [one.id, 'succeeded', hour - 4 * HOUR - 1],
      [two.id, 'failed', hour - 5 * HOUR + 7],
      [two.id, 'killed', hour - 3 * HOUR],
      [one.id, 'skipped', hour],
    ] as const)
      await write(jobId, state, endedAt);
    const hours = async (more = '', to = hour + HOUR) =>
      (await ask('GET', `/admin/report?from=${hour - 6 * HOUR}&to=${to}&figures=false${more}`)).body.hours;
    const none = { succeeded: 0, failed: 0, killed: 0, skipped: 0 };
    const past = [
      { ...none, at: hour - 5 * HOUR, succeeded: 2, failed: 1 },
      { ...none, at: hour - 3 * HOUR, killed: 1 },
    ];
    const all = [...past, { ...none, at: hour, skipped: 1 }];
    const asked = await Promise.all([hours(), hours(), hours()]);
    expect([...asked, await hours()]).toEqual([all, all, all, all]);
    expect(await hours(`&groups=${encodeURIComponent('["other ä"]')}`)).toEqual([
      { ...none, at: hour - 5 * HOUR, failed: 1 },
      { ...none, at: hour - 3 * HOUR, killed: 1 },
    ]);
    await sql`delete from horae_ring_runs`.execute(database.kysely);
    // Another question: what was answered a moment ago is answered again.
    expect(await hours('', hour + HOUR + 1)).toEqual(past);
  });
}, ['lock-row']);

describe('the admin API without a port', () => {
  test('answers every kind of route, and refuses what the one with a port refuses', async () => {
    const { ask } = await stage();
    const added = await ask('POST', '/admin/jobs', { name: 'a', handler: 'good', schedule: { kind: 'none' } });
    expect(added).toMatchObject({ status: 201, body: { name: 'a' } });
    expect(await ask('DELETE', `/admin/jobs/${added.body.id}`)).toEqual({ status: 204, body: undefined });
    expect((await ask('POST', '/admin/jobs', { name: 'a' })).status).toBe(400);
    expect((await ask('GET', '/admin/nothing')).status).toBe(404);
  });

  test('streams events until the reader goes away', async () => {
    const { admin, ring } = await stage();
    const response = await admin.fetch(new Request('http://ring.example/admin/events'), '/admin/events', '');
    expect(response.headers.get('content-type')).toMatch('text/event-stream');
    const reader = response.body!.getReader();
    await reader.read();
    await ring.jobs.add({ name: 'seen', handler: 'good', schedule: { kind: 'none' } });
    let text = '';
    while (!text.includes('job-added')) text += new TextDecoder().decode((await reader.read()).value);
    await reader.cancel();
  });

  test('finds jobs by name, key, handler, owner and label, page by page', async () => {
    const { ring, ask } = await stage();
    const job = { handler: 'good', schedule: { kind: 'none' } as const };
    await ring.jobs.add({ ...job, name: 'Nightly REPORT' });
    await ring.jobs.add({ ...job, name: 'b', key: 'report-b' });
    await ring.jobs.add({ ...job, name: 'c', owner: 'reporters' });
    await ring.jobs.add({ ...job, name: 'd', labels: { team: 'report' } });
    await ring.jobs.add({ ...job, name: 'e' });
    const first = (await ask('GET', '/admin/jobs?text=report&limit=3')).body;
    expect(first.jobs.map(({ name }: { name: string }) => name)).toEqual(['Nightly REPORT', 'b', 'c']);
    const second = (await ask('GET', `/admin/jobs?text=report&limit=3&cursor=${first.cursor}`)).body;
    expect(second).toMatchObject({ jobs: [{ name: 'd' }], cursor: null });
    for (const [text, name] of [
      ['team=REP', 'd'],
      ['täter', 'f'],
      ['100%_!', 'g'],
    ] as const) {
      await ring.jobs.add({ ...job, name: name === 'f' ? 'Der TÄTER' : name === 'g' ? 'at 100%_! of it' : 'other' });
      const { body } = await ask('GET', `/admin/jobs?text=${encodeURIComponent(text)}`);
      expect(body.jobs.length).toBe(1);
    }
    expect((await ask('GET', '/admin/jobs?text=a&cursor=x')).status).toBe(400);
  });

  test('explains a schedule before any job has it, calendars applied', async () => {
    const { ask, ring } = await stage();
    const explain = async (schedule: object, more = '') =>
      (await ask('GET', `/admin/schedule?schedule=${encodeURIComponent(JSON.stringify(schedule))}${more}`)).body;
    const from = Date.UTC(2026, 2, 28, 12);
    expect(
      await explain({ kind: 'cron', expression: '0 30 2 * * ?' }, `&from=${from}&count=2&locale=de`),
    ).toMatchObject({
      ok: true,
      zone: 'Europe/Berlin',
      words: expect.stringContaining('02:30'),
      // Half past two does not exist on the day the clocks go forward.
      next: [Date.UTC(2026, 2, 30, 0, 30), Date.UTC(2026, 2, 31, 0, 30)],
    });
    expect(await explain({ kind: 'cron', expression: '0 0 25 * * ?' })).toMatchObject({
      ok: false,
      next: [],
      fault: { column: 5, message: expect.any(String) },
    });
    await ring.calendars.put({ name: 'sunday', weekdays: [0] });
    const except = `&from=${from}&count=1&except=${encodeURIComponent('["sunday"]')}`;
    expect((await explain({ kind: 'cron', expression: '0 0 9 * * ?' }, except)).next).toEqual([
      Date.UTC(2026, 2, 30, 7),
    ]);
    expect((await explain({ kind: 'none' }, '&except=["gone"]')).error.code).toBe('unknown-calendar');
    expect(await explain({ kind: 'fix-rate', everyMs: 5 })).toMatchObject({ ok: false });
    expect((await ask('GET', '/admin/schedule?schedule=nonsense')).status).toBe(400);
  });

  test('is given only for a ring of startTimeRing', () => {
    expect(() => createRingAdmin({} as TimeRing)).toThrow(/what startTimeRing gave/);
  });
});
