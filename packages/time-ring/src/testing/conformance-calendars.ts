import { addJob, ask, type StoreCases, same } from './conformance-stage.js';

const holidays = { name: 'holidays ä', definition: { dates: ['12-25', '2026-04-06'], zone: 'Europe/Berlin' } };
const nights = { name: 'A nights', definition: { windows: ['22:00-06:00'] } };

/** Calendars, and the jobs that name them. */
export const calendarCases: StoreCases = {
  async 'keeps calendars by name, replaces them and removes them'(store) {
    same(await store.calendars(null), []);
    await ask(store, async (trx) => {
      await trx.putCalendar(holidays);
      await trx.putCalendar(nights);
      await trx.putCalendar({ ...nights, definition: { weekdays: [0, 6] } });
    });
    const weekends = { name: 'A nights', definition: { weekdays: [0, 6] } };
    same(await store.calendars(null), [weekends, holidays]);
    same(await store.calendars(['nobody', 'holidays ä']), [holidays]);
    same(await store.calendars([]), []);
    same(await ask(store, (trx) => trx.lockCalendars(['A nights', 'nobody'])), [weekends]);
    same(await ask(store, (trx) => trx.deleteCalendar('A nights')), true);
    same(await ask(store, (trx) => trx.deleteCalendar('A nights')), false);
    same(await store.calendars(null), [holidays]);
  },

  async 'finds the jobs that name a calendar'(store) {
    await addJob(store);
    const job = await addJob(store, { except: ['other', 'holidays ä'] });
    await addJob(store, { except: ['other'] });
    same(await ask(store, (trx) => trx.jobsExcept('holidays ä')), [job]);
    same(await ask(store, (trx) => trx.jobsExcept('holidays')), []);
  },
};
