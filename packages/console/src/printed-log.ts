import type { Logger } from '@horae/time-ring';

const print = (_facts: object, message: string) => console.log(message);

/** For a ring without a log: important messages go to the standard output. */
export const printedLog: Logger = {
  debug: () => {},
  info: print,
  warn: print,
  error: (facts, message) => console.error(message, facts),
};
