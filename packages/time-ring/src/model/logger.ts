/** The part of a logger that is used, in pino's shape: facts first, then the sentence. */
export interface Logger {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

/** Says nothing; what matters is told as events too. */
export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };
