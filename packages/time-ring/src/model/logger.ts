/** The part of a logger that the ring uses, in pino's shape: facts first, then the sentence. */
export interface Logger {
  debug(facts: object, message: string): void;
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

/** Discards every line; whatever matters is also emitted as an event. */
export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, error() {} };
