import type { IncomingMessage } from 'node:http';
import type { Clock } from '@horae/clock-store';
import type { Logger } from '../model/logger.js';
import { createLimitedWarning } from './limited-warning.js';

/** Logs a call that was refused because of its token. */
export type RefusedTokens = (request: IncomingMessage, given: string | undefined) => void;

const MAX_PATH = 200;

/** Logs callers without the right token, rarely enough to withstand an attack, and never with the token. */
export function createRefusedTokens(clock: Clock, log: Logger): RefusedTokens {
  const warn = createLimitedWarning(clock, log);
  return (request, given) => {
    const path = (request.url ?? '').split('?')[0]!.slice(0, MAX_PATH);
    const what = given === undefined ? 'without the token' : 'with a wrong token';
    warn({ path, from: request.socket.remoteAddress }, `A call ${what} was refused`);
  };
}
