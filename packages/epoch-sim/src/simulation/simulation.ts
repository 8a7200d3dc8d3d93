import { nextMinute, runThrough, stepMinute } from '../engine/advance.js';
import { scheduleCancellations } from '../engine/cancellations.js';
import { forgetFuture, settleDependents } from '../engine/dependencies.js';
import type { EngineState } from '../engine/engine-state.js';
import { stateView } from '../engine/state-view.js';
import { scheduleInterrupts, submitAll } from '../engine/submit.js';
import { epochResult, type LoggedBefore } from '../epoch/epoch-result.js';
import { initialState } from '../epoch/run-epoch.js';
import { HOOK_NAMES, type Hooks } from '../interchange/hooks.js';
import type {
  ActionInstance,
  EpochInput,
  EpochResult,
  Interrupt,
  ScheduleEvent,
  StateView,
} from '../interchange/interchange.js';
import type { EpochOptions } from '../interchange/options.js';
import { InvalidEpoch, quote } from '../interchange/sim-errors.js';
import {
  binarySnapshot,
  type JsonSnapshot,
  jsonSnapshot,
  readSnapshot,
  type StillBlock,
  stillBlock,
} from '../snapshot/snapshot.js';
import { Status } from '../tables/action-table.js';
import { diffEvents, type EventDiff } from './diff-events.js';

/** Called after each minute in which something happened, once per event of that minute. */
export type RunPredicate = (event: ScheduleEvent, view: StateView) => boolean;

/** A simulation that is advanced step by step. Time has no end here; the epoch of the input defines minute 0. */
export interface Simulation {
  /** The last minute that is complete; -1 before the first. */
  readonly t: number;
  /** Submits one action or a list. Late actions are admitted in the next minute. */
  submit(actions: ActionInstance | readonly ActionInstance[]): Simulation;
  /** Schedules one interrupt or a list. Late interrupts happen in the next minute. */
  interrupt(interrupts: Interrupt | readonly Interrupt[]): Simulation;
  /** Gives up an action (or those of `actor:x`) in the next minute, if it waits, is suspended, or runs and is interruptible. */
  cancel(id: string, reason?: string): Simulation;
  /** Withdraws an action that has not been admitted yet; false when there is none. Its id is free again. */
  withdraw(id: string): boolean;
  /**
   * Completes every phase of minute `t`, or carries on minute by minute until the predicate holds for an event. With a
   * predicate it stops when nothing is left to happen, and ten years after the current minute at the latest.
   */
  runUntil(until: number | RunPredicate): Simulation;
  /** All events since the beginning, or from that number on. */
  events(options?: { since?: number }): ScheduleEvent[];
  view(): StateView;
  /** The result that `runEpoch` would return, as of now. */
  result(): EpochResult;
  snapshot(): JsonSnapshot;
  snapshot(options: { format: 'json' }): JsonSnapshot;
  snapshot(options: { format: 'binary' }): Uint8Array;
  /** A simulation that is equal now and independent from now on. */
  branch(): Simulation;
  /** Compares the events with those of another simulation. */
  diff(other: Simulation): EventDiff;
}

/** How far a predicate may lead: ten years of minutes. */
const MAX_MINUTES = 5_259_600;
/** The last minute that the columns can hold. */
const LAST_MINUTE = 2 ** 31 - 2;

/** A simulation at the beginning of the input's epoch. The engine is that of `runEpoch`, and so are the errors. */
export function createSimulation(input: EpochInput, options: EpochOptions = {}): Simulation {
  return simulationOf(initialState(input, options), input.carry_over ?? undefined);
}

/**
 * The simulation that a snapshot shows, JSON or binary; advancing it yields the same bytes. Hooks are functions and therefore not in the
 * snapshot: pass them again. Throws `InvalidSnapshot`.
 */
export function restoreSimulation(snapshot: JsonSnapshot | Uint8Array, hooks: Hooks = {}): Simulation {
  const { state, before } = readSnapshot(snapshot, pickHooks(hooks));
  return simulationOf(state, before ?? undefined);
}

function simulationOf(state: EngineState, before: LoggedBefore | undefined, known?: StillBlock): Simulation {
  let still = known;
  const logged = () =>
    before === undefined
      ? null
      : { seq: before.seq, hash: before.hash, running: (before.running ?? []).map(({ id }) => ({ id })) };
  function snapshot(options?: { format: 'json' | 'binary' }): never {
    if (options?.format !== 'binary') return jsonSnapshot(state, logged()) as never;
    still = stillBlock(state, still);
    return binarySnapshot(state, logged(), still) as never;
  }
  const simulation: Simulation = {
    get t() {
      return state.minute - 1;
    },
    submit(actions) {
      submitAll(state, Array.isArray(actions) ? actions : [actions as ActionInstance]);
      return simulation;
    },
    interrupt(interrupts) {
      scheduleInterrupts(state, Array.isArray(interrupts) ? interrupts : [interrupts as Interrupt]);
      return simulation;
    },
    cancel(id, reason) {
      const at = state.isoOf(state.minute);
      scheduleCancellations(state, [{ at, target: id, ...(reason === undefined ? {} : { reason }) }]);
      return simulation;
    },
    withdraw: (id) => withdraw(state, id),
    runUntil(until) {
      if (typeof until === 'function') runWhile(state, until);
      else runThrough(state, checkMinute(until));
      return simulation;
    },
    events: ({ since = 0 } = {}) => state.log.events(Math.max(0, since), state.idOf, state.isoOf),
    view: () => stateView(state.clone(), state.minute - 1),
    result: () => epochResult(state.clone(), before),
    snapshot,
    branch: () => simulationOf(state.clone(), before, still),
    diff: (other) => diffEvents(simulation.events(), other.events()),
  };
  return simulation;
}

function pickHooks(options: Hooks): Hooks {
  return Object.fromEntries(
    HOOK_NAMES.flatMap((name) => (options?.[name] === undefined ? [] : [[name, options[name]]])),
  );
}

function checkMinute(until: number): number {
  if (Number.isInteger(until) && until <= LAST_MINUTE) return until;
  throw new InvalidEpoch(
    `InvalidEpoch: runUntil(${quote(until)}); give a whole minute since the start, or a predicate`,
    {
      field: 'until',
      value: until,
    },
  );
}

function runWhile(state: EngineState, predicate: RunPredicate): void {
  const last = Math.min(LAST_MINUTE, state.minute + MAX_MINUTES);
  for (let minute = nextMinute(state); minute <= last; minute = nextMinute(state)) {
    const from = state.log.count;
    stepMinute(state, minute);
    const view = stateView(state, minute);
    if (state.log.events(from, state.idOf, state.isoOf).some((event) => predicate(event, view))) return;
  }
}

function withdraw(state: EngineState, id: string): boolean {
  const { actions } = state;
  const name = state.names.find(id);
  for (let row = 0; name >= 0 && row < actions.count; row++) {
    if (actions.name[row] !== name || actions.status(row) !== Status.future || state.held.has(row)) continue;
    state.submissions.remove(row, actions.due(row));
    actions.setStatus(row, Status.rejected);
    state.faults.delete(row);
    forgetFuture(state, row);
    settleDependents(state, id, state.minute);
    return true;
  }
  return false;
}
