import { defineGroup } from '../frame/define-command.js';

export const cronGroup = defineGroup({
  name: 'horae cron',
  about: 'Ask cron expressions: when, why, how often, and whether they are right',
  examples: [
    { line: 'horae cron next "0 9 * * 1-5" --zone Europe/Berlin', does: 'when does it run next?' },
    { line: 'horae cron check "*/15 * * * *"', does: 'is it right, and if not, what to write instead?' },
    { line: 'horae cron describe "0 0 1,15 * 1"', does: 'what does it mean?' },
    { line: 'horae cron natural "every weekday at 9"', does: 'which expression is that?' },
  ],
  commands: {
    next: async () => (await import('./next.js')).next,
    prev: async () => (await import('./prev.js')).prev,
    check: async () => (await import('./check.js')).check,
    describe: async () => (await import('./describe.js')).describe,
    explain: async () => (await import('./explain.js')).explain,
    natural: async () => (await import('./natural.js')).natural,
    hash: async () => (await import('./hash.js')).hash,
    overlap: async () => (await import('./overlap.js')).overlap,
    calendar: async () => (await import('./calendar.js')).calendar,
  },
});
