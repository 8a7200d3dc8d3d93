import type { EpochMs } from '@horae/clock-store';
import type { Calendars, RingCalendar } from '../../model/calendar.js';
import { TimeRingError } from '../../model/errors.js';
import type { Job } from '../../model/job.js';
import { timetableOf } from '../../schedule/timetable.js';
import type { JobTransaction, StoredCalendar } from '../../store/job-store.js';
import { type CalendarsByName, calendarsFor } from '../node/calendar-book.js';
import { parseRingCalendar } from './parse-calendar.js';
import type { ServiceNode } from './service-node.js';

/** The calendars of a ring. */
export function createCalendarService(node: ServiceNode): Calendars {
  const { store, time, emitter } = node;

  async function put(input: RingCalendar): Promise<RingCalendar> {
    const calendar = parseRingCalendar(input, node.options.zone);
    const stopped = await store.transaction(async (trx) => {
      const at = await time.read(trx);
      await trx.putCalendar(calendar);
      const changed: Job[] = [];
      for (const { id } of await trx.jobsExcept(calendar.name)) {
        const job = await trx.lockJob(id);
        const after = job === null ? null : await rescheduled(node, trx, job, at);
        if (after === null || after === job) continue;
        await trx.putJob(after);
        if (after.state === 'STOPPED') changed.push(after);
      }
      return changed;
    });
    for (const job of stopped) emitter.emit('job-stopped', { job });
    return shown(calendar);
  }

  async function remove(name: string): Promise<void> {
    await store.transaction(async (trx) => {
      await trx.lockCalendars([name]);
      const [user] = await trx.jobsExcept(name);
      if (user !== undefined) {
        const message = `Job ${user.id} names the calendar "${name}" in except: take it out there first`;
        throw new TimeRingError('calendar-in-use', message, { field: 'name', value: name, jobId: user.id });
      }
      if (!(await trx.deleteCalendar(name))) throw unknownCalendar('name', name);
    });
  }

  return {
    put,
    remove,
    async get(name) {
      const [calendar] = typeof name === 'string' ? await store.calendars([name]) : [];
      return calendar === undefined ? null : shown(calendar);
    },
    list: async () => (await store.calendars(null)).map(shown),
  };
}

/** Refuses unknown calendars; known ones cannot be removed until the transaction is over. */
export async function checkCalendars(trx: JobTransaction, names: readonly string[]): Promise<void> {
  if (names.length === 0) return;
  const there = new Set((await trx.lockCalendars(names)).map(({ name }) => name));
  const missing = names.find((name) => !there.has(name));
  if (missing !== undefined) throw unknownCalendar('except', missing);
}

/** The job with its next time recomputed after its calendars have changed; claimed runs stay. The same job when nothing changes. */
export async function rescheduled(node: ServiceNode, trx: JobTransaction, job: Job, now: EpochMs): Promise<Job> {
  const { state, nextAt, lastAt, schedule, except } = job;
  const isTimed = schedule.kind === 'cron' || schedule.kind === 'fix-rate' || schedule.kind === 'interval';
  if (state !== 'RUNNING' || nextAt === null || !isTimed) return job;
  const { zone } = node.options;
  let calendars: CalendarsByName = () => [];
  if (except.length > 0) calendars = await calendarsFor(trx, [job], zone);
  // The next pass decides about occurrences that are already overdue.
  const after = Math.max(lastAt ?? Number.NEGATIVE_INFINITY, Math.min(now, nextAt - 1));
  const next = timetableOf(schedule, zone, nextAt, calendars(except)).next(after);
  if (next === nextAt) return job;
  if (next !== null) return { ...job, nextAt: next };
  const stopReason = { code: 'no-next-time', message: 'The schedule has no time left' } as const;
  return { ...job, state: 'STOPPED', stopReason, nextAt: null, updatedAt: now };
}

function shown({ name, definition }: StoredCalendar): RingCalendar {
  return { name, ...definition };
}

function unknownCalendar(field: string, name: unknown): TimeRingError {
  return new TimeRingError(
    'unknown-calendar',
    `There is no calendar "${String(name)}"; calendars.list shows those there are`,
    {
      field,
      value: name,
    },
  );
}
