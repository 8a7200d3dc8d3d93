import type { Schedule } from '@horae/time-ring';
import type { Words } from '../words/en.js';
import { durationText, timeText } from './when.jsx';

/** A schedule in one line. */
export function scheduleText(schedule: Schedule, words: Words): string {
  const { kind } = schedule as { kind: string };
  const { expression, everyMs, at } = schedule as { expression?: string; everyMs?: number; at?: number };
  if (kind === 'cron') return expression ?? '';
  if (kind === 'none') return words.jobs.manual;
  if (everyMs !== undefined) return words.jobs.every(durationText(everyMs));
  if (at !== undefined) return timeText(at);
  return JSON.stringify(schedule);
}
