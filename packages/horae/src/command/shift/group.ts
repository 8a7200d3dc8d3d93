import { defineGroup } from '../frame/define-command.js';

export const shiftGroup = defineGroup({
  name: 'horae shift',
  about: "Midgard's operator shifts: who is on, when is my turn, is this transaction legal, keep my shifts",
  examples: [
    { line: 'horae shift timetable state.json --count 10', does: 'the next ten shifts' },
    { line: 'horae shift next state.json aaaa…', does: 'when is my next shift, and what do I submit?' },
  ],
  commands: {
    timetable: async () => (await import('./timetable.js')).timetable,
    next: async () => (await import('./next.js')).next,
    check: async () => (await import('./check.js')).check,
    simulate: async () => (await import('./simulate.js')).simulate,
    'catch-up': async () => (await import('./catch-up.js')).catchUp,
    encode: async () => (await import('./encode.js')).encode,
    decode: async () => (await import('./decode.js')).decode,
    keep: async () => (await import('./keep.js')).keep,
  },
});
