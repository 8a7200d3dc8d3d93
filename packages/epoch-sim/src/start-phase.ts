import { Flag, Status } from './action-table.js';
import { admit, requestLocks } from './admit.js';
import { durationOf } from './effective-duration.js';
import type { EngineState } from './engine-state.js';
import { START } from './event-log.js';
import { applies } from './modifiers.js';
import { noisyDuration } from './noise.js';
import { preemptPhase } from './preempt.js';

/** Resumptions and submissions ask for their locks; then whoever may start starts, in the order of the requests. */
export function startPhase(state: EngineState, minute: number): void {
  resume(state, minute);
  admitAll(state, minute);
  const starting = preemptPhase(state, minute);
  firstInLine(state, starting);
  sortByRequest(state, starting);
  for (const row of starting) start(state, row, minute);
  if (state.preemptors.length > 0)
    state.preemptors = state.preemptors.filter((row) => state.actions.status(row) === Status.waiting);
}

function resume(state: EngineState, minute: number): void {
  const { actions } = state;
  const count = state.resumptions.take(minute);
  if (count === 0) return;
  const rows = state.resumptions.taken.slice(0, count);
  rows.sort((a, b) => actions.firstRequest(a) - actions.firstRequest(b));
  for (const one of rows) requestLocks(state, one, minute);
}

/** Listed actions come before follow-ups of the same minute, so that it does not matter when the list was handed in. */
function admitAll(state: EngineState, minute: number): void {
  const { actions } = state;
  const count = state.submissions.take(minute);
  const { taken } = state.submissions;
  const followUps: number[] = [];
  for (let i = 0; i < count; i++) {
    const row = taken[i]!;
    if ((actions.flags(row) & Flag.followUp) !== 0) followUps.push(row);
    else admit(state, row, minute);
  }
  for (const one of followUps) admit(state, one, minute);
}

/** Adds the requests that head all their queues while all their locks are free, and those without locks. */
function firstInLine(state: EngineState, starting: number[]): void {
  const { actions, locks } = state;
  for (const lock of locks.dirty) {
    locks.isDirty[lock] = 0;
    const place = locks.head[lock]!;
    if (place < 0 || locks.holder[lock]! >= 0) continue;
    const row = actions.pool.owner(place);
    if (!locks.isFirst(actions, row)) continue;
    // Its locks are held from now on, so that another of them in the list does not name it twice.
    locks.seize(actions, row);
    starting.push(row);
  }
  // A new list is cheaper than truncating the old one.
  if (locks.dirty.length > 0) locks.dirty = [];
  if (state.unlocked.length === 0) return;
  for (const row of state.unlocked) starting.push(row);
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
