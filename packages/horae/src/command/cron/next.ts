import { walkCommand } from './walk.js';

export const next = walkCommand({
  name: 'horae cron next',
  about: 'The next occurrences of an expression, strictly after an instant',
  direction: 'forward',
  examples: [
    { line: 'horae cron next "0 9 * * 1-5"', does: 'the next five working mornings here' },
    { line: 'horae cron next "30 2 * * *" --zone Europe/Berlin --from 2026-03-28', does: 'what the clock change does' },
    { line: 'echo "0 0 1 * *" | horae cron next - --count 12 --json', does: 'a year of months, for a program' },
    { line: 'horae cron next "0 9 * * 1-5" --except holidays.ics', does: 'without the days of a calendar file' },
    { line: 'horae cron next "0 0 9 ? * MON#1" --dialect quartz', does: 'Quartz: the first Monday of each month' },
  ],
});
