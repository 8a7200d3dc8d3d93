import { expect, test } from 'vitest';
import { onEveryDatabase } from '../support/network-databases.js';
import { createRingStage, START, seconds } from '../support/ring-stage.js';

const DAILY = { kind: 'cron', expression: '0 0 9 * * ?' } as const;
const day = (at: number | null) => (at === null ? null : new Date(at).toISOString().slice(0, 10));

onEveryDatabase(() => {
  test('a calendar is kept as given with its lists sorted, listed by name and removed', async () => {
    await using stage = await createRingStage();
    const { calendars } = stage.ring;
    const given = {
      name: 'z',
      dates: ['2026-12-25', '01-01'],
      weekdays: [6, 0],
      windows: ['22:00-06:00'],
      zone: 'UTC',
    };
    const kept = { ...given, dates: ['01-01', '2026-12-25'], weekdays: [0, 6] };
    expect(await calendars.put(given)).toEqual(kept);
    await calendars.put({ name: 'a', cron: '* * * * 1' });
    expect(await calendars.get('z')).toEqual(kept);
    expect(await calendars.get('nobody')).toBeNull();
    expect((await calendars.list()).map(({ name }) => name)).toEqual(['a', 'z']);
    await calendars.remove('z');
    await expect(calendars.remove('z')).rejects.toMatchObject({ code: 'unknown-calendar' });
  });

  test.each([
    { story: 'a date that is none', calendar: { name: 'x', dates: ['2026-13-01'] } },
    { story: 'an unknown field', calendar: { name: 'x', colour: 'red' } },
    { story: 'no name', calendar: { dates: [] } },
    { story: 'an ics of more than 256 KiB', calendar: { name: 'x', ics: 'x'.repeat(262_145) } },
    { story: 'an unknown zone', calendar: { name: 'x', zone: 'Mars/Base' } },
  ])('a calendar with $story is bad-calendar', async ({ calendar }) => {
    await using stage = await createRingStage();
    await expect(stage.ring.calendars.put(calendar as never)).rejects.toMatchObject({ code: 'bad-calendar' });
    expect(await stage.ring.calendars.list()).toEqual([]);
  });

  test('times in a calendar do not exist: no run, no skipped run, none in triggerRange', async () => {
    await using stage = await createRingStage();
    await stage.executor({ work: () => {} });
    await stage.ring.calendars.put({ name: 'second minute', cron: '1 * * * *' });
    const { id, nextAt } = await stage.job({
      schedule: { kind: 'fix-rate', everyMs: 30_000 },
      except: ['second minute'],
      start: true,
    });
    expect(seconds(nextAt)).toBe(30);
    await stage.clock.advanceBy(151_000);
    expect((await stage.runs()).map(({ scheduleTime }) => seconds(scheduleTime))).toEqual([30, 120, 150]);
    const range = await stage.ring.jobs.triggerRange(id, { from: START, to: START + 180_000 });
    expect(range.runs.map(({ scheduleTime }) => seconds(scheduleTime))).toEqual([0, 30, 120, 150]);
  });

  test('a change counts for what is not claimed yet, in both directions', async () => {
    await using stage = await createRingStage();
    const { calendars, jobs } = stage.ring;
    await calendars.put({ name: 'holidays', dates: ['01-01', '01-02'] });
    const { id, nextAt } = await stage.job({ schedule: DAILY, except: ['holidays'], start: true });
    expect(day(nextAt)).toBe('2026-01-03');
    await calendars.put({ name: 'holidays', dates: ['01-01'] });
    expect(day((await jobs.get(id))!.nextAt)).toBe('2026-01-02');
    await calendars.put({ name: 'holidays', dates: ['01-02', '01-03', '01-04'] });
    expect(day((await jobs.get(id))!.nextAt)).toBe('2026-01-01');
    expect(day((await jobs.update(id, { except: [] })).nextAt)).toBe('2026-01-01');
  });

  test('nothing left within four years stops the job, at its start and later', async () => {
    await using stage = await createRingStage();
    const { calendars, jobs } = stage.ring;
    await calendars.put({ name: 'always', weekdays: [0, 1, 2, 3, 4, 5, 6] });
    const none = { state: 'STOPPED', stopReason: { code: 'no-next-time' } };
    for (const schedule of [DAILY, { kind: 'fix-rate', everyMs: 100 } as const]) {
      expect(await stage.job({ schedule, except: ['always'], start: true })).toMatchObject(none);
    }
    await calendars.put({ name: 'later', dates: [] });
    const { id } = await stage.job({ schedule: DAILY, except: ['later'], start: true });
    await calendars.put({ name: 'later', windows: ['00:00-24:00'] });
    expect(await jobs.get(id)).toMatchObject(none);
    expect(stage.names()).toContain('job-stopped');
  });

  test('once and manual runs are not asked', async () => {
    await using stage = await createRingStage();
    await stage.executor({ work: () => {} });
    await stage.ring.calendars.put({ name: 'always', windows: ['00:00-24:00'] });
    const { id } = await stage.job({ schedule: { kind: 'once', at: START + 1_000 }, except: ['always'], start: true });
    await stage.ring.jobs.trigger(id);
    await stage.clock.advanceBy(2_000);
    expect((await stage.runs()).map(({ state }) => state)).toEqual(['succeeded', 'succeeded']);
  });

  test('a calendar is judged in the zone of the ring unless it has its own', async () => {
    await using stage = await createRingStage({ zone: 'Asia/Tokyo' });
    // 00:00 UTC is nine in the morning in Tokyo.
    await stage.ring.calendars.put({ name: 'mornings', windows: ['08:00-10:00'] });
    const schedule = { kind: 'cron', expression: '0 30 0,3 * * ?', zone: 'UTC' } as const;
    const { nextAt } = await stage.job({ schedule, except: ['mornings'], start: true });
    expect(nextAt).toBe(START + 3.5 * 3_600_000);
  });

  test('an unknown name is refused wherever a job is written; a calendar in use is not removed', async () => {
    await using stage = await createRingStage();
    const { calendars, jobs } = stage.ring;
    const refusal = { code: 'unknown-calendar', details: { field: 'except', value: 'no' } };
    await expect(stage.job({ except: ['no'] })).rejects.toMatchObject(refusal);
    const put = { key: 'k', name: 'n', handler: 'h', schedule: DAILY, except: ['no'] };
    await expect(jobs.put(put)).rejects.toMatchObject(refusal);
    await expect(jobs.sync([put])).rejects.toMatchObject(refusal);
    await calendars.put({ name: 'yes', dates: ['01-01'] });
    const { id } = await stage.job({ schedule: DAILY });
    await expect(jobs.update(id, { except: ['yes', 'no'] })).rejects.toMatchObject(refusal);
    await jobs.update(id, { except: ['yes'] });
    await expect(calendars.remove('yes')).rejects.toMatchObject({ code: 'calendar-in-use', details: { jobId: id } });
    await jobs.remove(id);
    await calendars.remove('yes');
  });
}, ['lock-row']);
