import { TimeRingError } from '../model/errors.js';
import type { TimeRing } from '../model/interface.js';
import { type AdminRoute, adminRoute, json } from './admin-route.js';
import { answerSchemas as gives, requestSchemas as takes } from './admin-schemas.js';

const aGroup = { description: 'The group', schema: gives.group };
const aCalendar = { description: 'The calendar', schema: gives.calendar };

/** Groups: the settings that apply to all jobs of a group together. */
export function groupRoutes(ring: TimeRing): AdminRoute[] {
  return [
    adminRoute({
      method: 'GET',
      path: '/admin/groups',
      summary: 'Groups that were put or that a job or executor names',
      answers: { 200: { description: 'By name', schema: gives.groups } },
      answer: async () => json({ groups: await ring.groups.list() }),
    }),
    adminRoute({
      method: 'PUT',
      path: '/admin/groups',
      summary: 'Makes a group what is given, or adds it',
      body: takes.group,
      answers: { 200: aGroup },
      answer: async ({ body }) => json(await ring.groups.put(body)),
    }),
    adminRoute({
      method: 'DELETE',
      path: '/admin/groups/{name}',
      summary: 'Removes a group that no job names',
      answers: { 204: { description: 'It is gone' } },
      async answer({ name }) {
        await ring.groups.remove(name);
        return { kind: 'empty' };
      },
    }),
    ...(['pause', 'resume'] as const).map((verb) =>
      adminRoute({
        method: 'POST',
        path: `/admin/groups/{name}/${verb}`,
        summary: verb === 'pause' ? 'Lets nothing of a group start' : 'Lets a paused group go on',
        body: takes.nothing,
        isBodyOptional: true,
        answers: { 200: aGroup },
        answer: async ({ name }) => json(await ring.groups[verb](name)),
      }),
    ),
  ];
}

/** Calendars: times at which jobs do not fire. */
export function calendarRoutes(ring: TimeRing): AdminRoute[] {
  return [
    adminRoute({
      method: 'GET',
      path: '/admin/calendars',
      summary: 'All calendars',
      answers: { 200: { description: 'By name', schema: gives.calendars } },
      answer: async () => json({ calendars: await ring.calendars.list() }),
    }),
    adminRoute({
      method: 'PUT',
      path: '/admin/calendars',
      summary: 'Adds a calendar or replaces it',
      body: takes.calendar,
      answers: { 200: aCalendar },
      answer: async ({ body }) => json(await ring.calendars.put(body as Parameters<typeof ring.calendars.put>[0])),
    }),
    adminRoute({
      method: 'GET',
      path: '/admin/calendars/{name}',
      summary: 'One calendar',
      answers: { 200: aCalendar },
      async answer({ name }) {
        const calendar = await ring.calendars.get(name);
        if (calendar !== null) return json(calendar);
        throw new TimeRingError('unknown-calendar', `There is no calendar "${name}"`, { field: 'name', value: name });
      },
    }),
    adminRoute({
      method: 'DELETE',
      path: '/admin/calendars/{name}',
      summary: 'Removes a calendar that no job names',
      answers: { 204: { description: 'It is gone' } },
      async answer({ name }) {
        await ring.calendars.remove(name);
        return { kind: 'empty' };
      },
    }),
  ];
}
