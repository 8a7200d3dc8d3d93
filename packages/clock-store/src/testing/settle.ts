import { HoraeError } from '../errors.js';
import { statementsInFlight } from '../in-flight.js';
import { nextTurn, shortRest } from '../system-clock.js';

/** The program under test keeps using the clock although no time passes: a loop that forgot to sleep. */
export class SettleLimitError extends HoraeError<{ turns: number }> {
  readonly code = 'settle-limit';
}

const MAX_SETTLE_TURNS = 100_000;
const SPINS_BEFORE_RESTING = 50;
const MAX_WAIT_RESTS = 3_000;

/**
 * Resolves after `quietTurns` turns of the event loop in a row in which `activity()` did not change and nothing was in flight: no file
 * request and no statement to a database server. A request that stays in flight for some three seconds counts as waiting for time to pass,
 * such as for a lock held by a sleeper, and is not waited for.
 */
export async function untilQuiet(activity: () => number, quietTurns: number): Promise<void> {
  let quiet = 0;
  for (let turn = 0; turn < MAX_SETTLE_TURNS; turn++) {
    const before = activity();
    await nextTurn();
    if (isInFlight()) {
      quiet = (await landed()) ? 0 : quiet + 1;
    } else {
      quiet = activity() === before ? quiet + 1 : 0;
    }
    if (quiet >= quietTurns) return;
  }
  throw new SettleLimitError(
    `The program still uses the clock after ${MAX_SETTLE_TURNS} turns of the event loop without time passing: look for a loop that does not sleep`,
    { turns: MAX_SETTLE_TURNS },
  );
}

async function landed(): Promise<boolean> {
  for (let spin = 0; spin < SPINS_BEFORE_RESTING; spin++) {
    await nextTurn();
    if (!isInFlight()) return true;
  }
  for (let rest = 0; rest < MAX_WAIT_RESTS; rest++) {
    await shortRest();
    if (!isInFlight()) return true;
  }
  return false;
}

/** File requests as Node calls them: of promises, of callbacks, and the closing of a file handle. */
const FILE_REQUESTS = new Set(['FSReqPromise', 'FSReqCallback', 'CloseReq']);

function isInFlight(): boolean {
  return statementsInFlight() > 0 || process.getActiveResourcesInfo().some((resource) => FILE_REQUESTS.has(resource));
}

/** Whether nothing is left to happen once all promises have settled: nothing in flight and no immediates of other code. */
export function isAtRest(ownImmediates: number): boolean {
  if (statementsInFlight() > 0) return false;
  let immediates = 0;
  for (const resource of process.getActiveResourcesInfo()) {
    if (resource === 'Immediate') immediates += 1;
    else if (FILE_REQUESTS.has(resource)) return false;
  }
  return immediates <= ownImmediates;
}
