import { type CronExpression, tryNextOccurrence, tryParseCron } from '@horae/cron-grammar';
import { distributionFault, draw, faultPath, neverGrows } from '../interchange/distribution.js';
import type { Arrival } from '../interchange/happenings.js';
import { minuteFrom } from '../interchange/instant.js';
import type { ActionInstance } from '../interchange/interchange.js';
import { invalidEpoch, invalidMoment } from '../interchange/sim-errors.js';
import { isPatience } from './action-kind.js';
import type { ArrivalSource, EngineState } from './engine-state.js';

const MINUTE_MS = 60_000;
/** The crontab dialect: steps, names of days and months, `@hourly`. */
const DIALECT = { dialect: 'vixie' } as const;
/** Later arrivals do not count. */
const LAST_MINUTE = 2 ** 31 - 2;
/** Sums of decimal gaps end in binary dust, which must not become a minute. */
const DUST = 1e-9;

/** Reads sources of arrivals into the state. Throws `InvalidEpoch` at the first bad one. */
export function scheduleArrivals(state: EngineState, arrivals: readonly Arrival[] | undefined): void {
  if (arrivals === undefined || arrivals === null) return;
  if (!Array.isArray(arrivals)) throw invalidEpoch('arrivals', arrivals, 'give a list');
  const { start } = state.rules.window;
  for (const [i, given] of (arrivals as Arrival[]).entries()) {
    checkArrival(given, `arrivals[${i}]`, start);
    const origin = given.from === undefined ? state.minute : minuteFrom(start, given.from)! - start;
    const end = given.to === undefined ? null : minuteFrom(start, given.to)! - start;
    const source: ArrivalSource = { given, origin, end, next: 0, due: null, sum: 0 };
    advanceSource(state, source);
    if (source.due !== null) state.arrivals.push(source);
  }
}

export function checkArrival(given: Arrival, field: string, start: number): void {
  if (typeof given !== 'object' || given === null) throw invalidEpoch(field, given, 'give { verb, every, id }');
  const check = (name: keyof Arrival, passes: boolean, remedy: string): void => {
    if (!passes) throw invalidEpoch(`${field}.${name}`, given[name], remedy);
  };
  const { verb, actor, every, from = 0, to = 0, count = 0, id, priority = 0, patience_min = 1 } = given;
  check('verb', typeof verb === 'string', 'give the name of a verb');
  check('actor', actor === undefined || typeof actor === 'string', 'give a text');
  check('id', typeof id === 'string' && id.includes('{n}'), 'give a text that holds {n}');
  for (const [name, moment] of Object.entries({ from, to }))
    if (minuteFrom(start, moment) === null)
      throw invalidMoment(`${field}.${name}`, moment, 'give ISO 8601 with date and time, or whole minutes');
  check('count', Number.isSafeInteger(count) && count >= 0, 'give a whole number >= 0');
  check('priority', Number.isFinite(priority), 'give a finite number');
  check('patience_min', isPatience(patience_min), 'give a whole number of minutes >= 1');
  if (typeof every === 'string') {
    const parsed = tryParseCron(every, DIALECT);
    if (!parsed.ok)
      throw invalidEpoch(`${field}.every`, every, `give a distribution or a cron expression: ${parsed.error.message}`);
    return;
  }
  const fault = distributionFault(every);
  if (fault !== null) throw invalidEpoch(faultPath(`${field}.every`, fault), fault.value, `give ${fault.expected}`);
  check('every', !neverGrows(every) || given.count !== undefined, 'give gaps above 0, or a count');
}

export function isCronText(text: string): boolean {
  return tryParseCron(text, DIALECT).ok;
}

/** Turns a source to its next arrival. */
export function advanceSource(state: EngineState, source: ArrivalSource): void {
  const { given, end } = source;
  source.next++;
  source.due = given.count !== undefined && source.next > given.count ? null : nextDue(state, source);
  if (source.due !== null && (source.due > LAST_MINUTE || (end !== null && source.due >= end))) source.due = null;
}

function nextDue(state: EngineState, source: ArrivalSource): number | null {
  const { every } = source.given;
  if (typeof every !== 'string') {
    source.sum += Math.max(0, draw(every, 'arrival', state.rules.seed, arrivalId(source), 1));
    return Number.isFinite(source.sum) ? source.origin + Math.ceil(source.sum - DUST) : null;
  }
  const { start } = state.rules.window;
  const after = source.next === 1 ? (start + source.origin) * MINUTE_MS - 1 : source.sum;
  const at = tryNextOccurrence(expressionOf(every), after, 'UTC');
  if (at === null || at === undefined) return null;
  source.sum = Number(at);
  return Math.ceil(source.sum / MINUTE_MS) - start;
}

const expressions = new Map<string, CronExpression>();
const MAX_EXPRESSIONS = 1_000;

/** A parsed cron text; it has been checked before. */
function expressionOf(text: string): CronExpression {
  let expression = expressions.get(text);
  if (expression === undefined) {
    const parsed = tryParseCron(text, DIALECT);
    if (!parsed.ok) throw parsed.error;
    expression = parsed.value;
    if (expressions.size >= MAX_EXPRESSIONS) expressions.clear();
    expressions.set(text, expression);
  }
  return expression;
}

function arrivalId({ given, next }: ArrivalSource): string {
  return given.id.replaceAll('{n}', String(next));
}

/** The next action of a source. */
export function arrivalOf(state: EngineState, source: ArrivalSource): ActionInstance {
  const { verb, actor, params = {}, priority, patience_min } = source.given;
  const id = arrivalId(source);
  return {
    id,
    actor: actor ?? id,
    verb,
    params,
    submitted_at: state.isoOf(source.due!),
    ...(priority === undefined ? {} : { priority }),
    ...(patience_min === undefined ? {} : { patience_min }),
  };
}

/** Whether a source may still make an action of this name. */
export function mayStillArrive(state: EngineState, id: string): boolean {
  return state.arrivals.some((source) => {
    const [before, ...rest] = source.given.id.split('{n}');
    const digits = id.slice(before!.length).match(/^\d{1,15}/)?.[0];
    if (digits === undefined || !id.startsWith(before!)) return false;
    const n = Number(digits);
    const fits = [before, ...rest].join(String(n)) === id;
    return fits && n >= source.next && (source.given.count === undefined || n <= source.given.count);
  });
}

/** The first minute in which a source makes an action, or Infinity. */
export function nextArrival({ arrivals }: EngineState): number {
  return arrivals.reduce(
    (soonest, { due }) => (due === null ? soonest : Math.min(soonest, due)),
    Number.POSITIVE_INFINITY,
  );
}
