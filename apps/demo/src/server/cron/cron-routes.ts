import { Hono } from 'hono';
import { type Clock, resolveZone } from 'horae/time';
import type { Note } from '../overview/activity.js';
import { analyseCron } from './analyse-cron.js';

/** The page's requests to the cron grammar. Read-only, so no token is needed. */
export function cronRoutes(clock: Clock, note: Note): Hono {
  let latest = '';
  return new Hono().get('/analyse', (context) => {
    const { expression = '', zone = 'UTC', dialect = 'posix', second } = context.req.query();
    const answer = analyseCron({
      expression,
      zone: resolveZone(zone),
      dialect: dialect === 'quartz' || dialect === 'vixie' ? dialect : 'posix',
      now: clock.now(),
      second,
    });
    if (expression !== latest) {
      latest = expression;
      const short = expression.length > 60 ? `${expression.slice(0, 59)}…` : expression;
      if (answer.ok) note('cron', `"${short}" means: ${answer.words}`, 'good');
      else note('cron', `"${short}" refused at column ${answer.fault.column}`, 'bad');
    }
    return context.json(answer);
  });
}
