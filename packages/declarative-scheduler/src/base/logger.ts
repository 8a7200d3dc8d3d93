import { badOption } from '../task/option-error.js';

/** The part of a logger that is used, in pino's shape: facts first, then the sentence. */
export interface Logger {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

/** Logs nothing. */
export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };

/** The logger, when it has the four functions. */
export function checkLogger(log: Logger): Logger {
  const levels = ['debug', 'info', 'warn', 'error'] as const;
  const missing = levels.find((level) => typeof (log as Partial<Logger> | null)?.[level] !== 'function');
  if (missing === undefined) return log;
  throw badOption('log', log, `a logger with debug, info, warn and error, as pino has them (${missing} is missing)`);
}
