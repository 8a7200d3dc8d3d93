import { walkCommand } from './walk.js';

export const prev = walkCommand({
  name: 'horae cron prev',
  about: 'The latest occurrences of an expression, strictly before an instant, latest first',
  direction: 'backward',
  examples: [
    { line: 'horae cron prev "0 9 * * 1-5"', does: 'when it ran the last five times' },
    { line: 'horae cron prev "0 0 29 2 *" --count 3 --zone UTC', does: 'the last three leap days' },
  ],
});
