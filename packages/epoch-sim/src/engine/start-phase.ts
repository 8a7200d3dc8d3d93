import { durationOf } from '../interchange/effective-duration.js';
import { applies } from '../interchange/modifiers.js';
import { noisyDuration } from '../interchange/noise.js';
import { InvalidEpoch } from '../interchange/sim-errors.js';
import { Flag, Status } from '../tables/action-table.js';
import { START } from '../tables/event-log.js';
import { admit, requestLocks } from './admit.js';
import { advanceSource, arrivalOf } from './arrival-sources.js';
import { callHooks } from './call-hooks.js';
import { settleAllDependents } from './dependencies.js';
import type { EngineState } from './engine-state.js';
import { grant, hasResources } from './grant.js';
import { tell } from './hook-calls.js';
import { preemptPhase } from './preempt.js';
import { addRow } from './submit.js';

/** The most arrivals of one minute; a source of gaps that are zero would never come to its end. */
const MAX_ARRIVALS_PER_MINUTE = 1_000_000;

/** The most actions that sources may bring a state to; they fill about two gigabytes. */
const MAX_ACTIONS = 4_000_000;

/** Resumptions and submissions request their locks; then every action that may start does so, in the order of the requests. */
export function startPhase(state: EngineState, minute: number): void {
  state.lookAgain = false;
  resume(state, minute);
  admitAll(state, minute);
  callHooks(state, minute, 1);
  const starting = preemptPhase(state, minute);
  callHooks(state, minute, 1);
  firstInLine(state, starting);
  sortByRequest(state, starting);
  for (const row of starting) start(state, row, minute);
  callHooks(state, minute, 1);
  if (state.preemptors.length === 0) return;
  state.preemptors = state.preemptors.filter((row) => state.actions.status(row) === Status.waiting);
  // Where locks have several units, a waiter in front may have started beside holders that can be evicted.
  state.lookAgain = starting.length > 0 && state.preemptors.length > 0 && state.locks.hasWide;
}

function resume(state: EngineState, minute: number): void {
  const { actions } = state;
  const count = state.resumptions.take(minute);
  if (count === 0) return;
  const rows = state.resumptions.taken.slice(0, count);
  rows.sort((a, b) => actions.firstRequest(a) - actions.firstRequest(b));
  for (const one of rows) requestLocks(state, one, minute);
}

/**
 * Listed actions come first, then arrivals, then follow-ups, so that it does not matter when a list was submitted. An action that comes
 * after others takes its place in the list again.
 */
function admitAll(state: EngineState, minute: number): void {
  const { actions, listed } = state;
  const count = state.submissions.take(minute);
  const taken = listed.size === 0 ? state.submissions.taken : byList(state, count);
  const followUps: number[] = [];
  for (let i = 0; i < count; i++) {
    const row = taken[i]!;
    if ((actions.flags(row) & Flag.followUp) !== 0) followUps.push(row);
    else admit(state, row, minute);
  }
  if (state.arrivals.length > 0) admitArrivals(state, minute);
  for (const one of followUps) admit(state, one, minute);
}

function byList({ submissions, listed }: EngineState, count: number): Int32Array {
  const rows = submissions.taken.slice(0, count);
  const place = (row: number): number => Math.max(-1, listed.get(row) ?? -1);
  return rows.sort((a, b) => place(a) - place(b));
}

function admitArrivals(state: EngineState, minute: number): void {
  let made = 0;
  for (const source of state.arrivals) {
    if (source.due === null || source.due > minute) continue;
    while (source.due !== null && source.due <= minute) {
      if (++made > MAX_ARRIVALS_PER_MINUTE || state.actions.count >= MAX_ACTIONS) {
        const message = `InvalidEpoch: arrivals has made too many actions by minute ${minute}; give longer gaps or a count`;
        throw new InvalidEpoch(message, { field: 'arrivals', value: source.given.every });
      }
      admit(state, addRow(state, arrivalOf(state, source), minute, 0), minute);
      advanceSource(state, source);
    }
  }
  const left = state.arrivals.filter(({ due }) => due !== null);
  if (left.length === state.arrivals.length) return;
  state.arrivals = left;
  if (state.waitingFor.size > 0) settleAllDependents(state, minute);
}

/** Adds the requests that head all their queues while what they ask for is free, and those that ask for nothing. */
function firstInLine(state: EngineState, starting: number[]): void {
  const { actions, locks } = state;
  // Locks with units left are listed again while the list is read.
  for (const lock of locks.dirty) {
    locks.isDirty[lock] = 0;
    const place = locks.head[lock]!;
    if (place < 0 || locks.free[lock]! <= 0) continue;
    const row = actions.pool.owner(place);
    if (!locks.isFirst(actions, row) || !hasResources(state, row)) continue;
    // Its locks are held from now on, so that another of them in the list does not name it twice.
    grant(state, row);
    starting.push(row);
  }
  // A new list is cheaper than truncating the old one.
  if (locks.dirty.length > 0) locks.dirty = [];
  if (state.unlocked.length === 0) return;
  for (const row of state.unlocked) {
    grant(state, row);
    starting.push(row);
  }
  state.unlocked = [];
}

function sortByRequest(state: EngineState, rows: number[]): void {
  const { actions } = state;
  let sorted = true;
  for (let i = 1; sorted && i < rows.length; i++) sorted = actions.request(rows[i - 1]!) < actions.request(rows[i]!);
  if (!sorted) rows.sort((a, b) => actions.request(a) - actions.request(b));
}

function start(state: EngineState, row: number, minute: number): void {
  const { actions } = state;
  const attempt = actions.attempt(row) + 1;
  const minutes = attempt === 1 ? firstDuration(state, row, minute) : actions.span(row);
  actions.setAttempt(row, attempt);
  actions.setStatus(row, Status.running);
  actions.setStarted(row, state.nextStart++);
  actions.setDue(row, minute + minutes);
  state.ends.put(row, minute + minutes);
  state.log.push(START, row, minute, minutes, attempt, minute - actions.requestedAt(row));
  if (state.rules.options.onStart !== undefined) tell(state, 'onStart', row, minute, { attempt, d_eff: minutes });
}

/** Modifiers are judged once, at the first start; the noise too, so that an interrupt never changes what is left. */
function firstDuration(state: EngineState, row: number, minute: number): number {
  const { modifiers, window, options } = state.rules;
  const work = state.actions.span(row);
  let minutes: number;
  if (modifiers.length === 0) {
    minutes = durationOf(work, modifiers);
  } else {
    const minuteOfDay = (((window.start + minute) % 1440) + 1440) % 1440;
    const { verb } = state.kinds[state.actions.kind(row)]!;
    minutes = durationOf(
      work,
      modifiers.filter((modifier) => applies(modifier, verb, minuteOfDay)),
    );
  }
  return options.noise === undefined ? minutes : noisyDuration(options.noise, state.idOf(row), 1, minutes);
}
