import type { EngineState } from '../engine/engine-state.js';
import { rowsOf } from '../engine/state-view.js';
import { HOOK_NAMES } from '../interchange/hooks.js';
import type { ActionDef, CarriedAction, CarryOver } from '../interchange/interchange.js';
import { ownValue, putOwn } from '../interchange/own-property.js';
import { Flag, Status } from '../tables/action-table.js';
import { LockKind } from '../tables/lock-table.js';
import { carriedAgenda } from './carry-agenda.js';

/** Writes the state down, relative to its current minute. `seq` and `hash` stand for everything that was logged so far. */
export function writeCarryOver(state: EngineState, seq: number, hash: () => string): CarryOver {
  const { actions, minute } = state;
  const kinds = new Map<number, number>();
  const carried = (row: number): CarriedAction => carriedAction(state, row, kinds);
  const running = rowsOf(state, Status.running).map((row) => {
    return { ...carried(row), remaining: actions.due(row) - minute, started: actions.started(row) };
  });
  const waiting = rowsOf(state, Status.waiting).map((row) => {
    const fresh = actions.attempt(row) === 0;
    return {
      ...carried(row),
      request: actions.request(row),
      waited_min: minute - actions.requestedAt(row),
      work: fresh ? actions.span(row) : null,
      d_rem: fresh ? null : actions.span(row),
    };
  });
  const suspended = rowsOf(state, Status.suspended).map((row) => {
    return { ...carried(row), d_rem: actions.span(row), resume_in: actions.due(row) - minute };
  });
  const future = futureActions(state);
  const hooked = HOOK_NAMES.some((hook) => state.rules.options[hook] !== undefined);
  const carryOver = {
    running,
    waiting,
    suspended,
    future,
    interrupts: state.interrupts
      .slice(state.interruptCursor)
      .map(({ due, given }) => ({ ...given, due_in: due - minute })),
    reveals: state.reveals.map(({ due, row, meta }) => ({ action_id: state.idOf(row), due_in: due - minute, meta })),
    resources: state.resources.toRecord(),
    finished: finishedIds(state),
    defs: [...kinds.keys()].map((kind) => ({ verb: state.kinds[kind]!.verb, def: state.kinds[kind]!.def })),
    context: contextOf(state, hooked ? null : verbsToCome(state)),
    next_request: state.nextRequest,
    next_start: state.nextStart,
    seq,
    ...carriedAgenda(state),
  };
  return lazily(carryOver, 'hash', hash);
}

/** Adds a property that is computed when it is first read; to JSON and to copies it is a property like any other. */
export function lazily<Target extends object, Key extends string, Value>(
  target: Target,
  key: Key,
  compute: () => Value,
): Target & { readonly [K in Key]: Value } {
  let known: { value: Value } | undefined;
  Object.defineProperty(target, key, {
    enumerable: true,
    configurable: true,
    get: () => {
      known ??= { value: compute() };
      return known.value;
    },
  });
  return target as never;
}

function carriedAction(state: EngineState, row: number, kinds: Map<number, number>): CarriedAction {
  const { actions } = state;
  const kind = actions.kind(row);
  if (!kinds.has(kind)) kinds.set(kind, kinds.size);
  return {
    id: state.idOf(row),
    action: actions.instances[row]!,
    def: kinds.get(kind)!,
    ...carriedLocks(state, row),
    priority: actions.priority[row]!,
    visible: (actions.flags(row) & Flag.visible) !== 0,
    attempt: actions.attempt(row),
    first_request: actions.firstRequest(row),
  };
}

/** In the order of admission: by minute, and within a minute as they stand in the calendar. */
function futureActions(state: EngineState): CarryOver['future'] {
  const { actions, minute } = state;
  return [...state.submissions.items()]
    .map((row) => ({
      id: state.idOf(row),
      action: actions.instances[row]!,
      due_in: actions.due(row) - minute,
      follow_up: (actions.flags(row) & Flag.followUp) !== 0,
      ...(state.listed.has(row) ? { listed: state.listed.get(row)! } : {}),
    }))
    .sort((a, b) => a.due_in - b.due_in);
}

function finishedIds(state: EngineState): string[] {
  const { actions } = state;
  const ids = state.finished.slice();
  for (let row = 0; row < actions.count; row++) {
    const status = actions.status(row);
    if (status === Status.ended || status === Status.cancelled) ids.push(state.idOf(row));
  }
  return ids;
}

/** The locks of an action, without the queues for resources, which follow from its definition. */
function carriedLocks({ actions, locks, names }: EngineState, row: number): Pick<CarriedAction, 'locks' | 'units'> {
  const first = actions.lockStart(row);
  const places = actions.locksOf(row).flatMap((lock, i) => (locks.kind[lock] === LockKind.level ? [] : [first + i]));
  const units = places.map((place) => actions.pool.units(place));
  return {
    locks: places.map((place) => names.texts[locks.name[actions.pool.lock(place)]!]!),
    ...(units.every((count) => count === 1) ? {} : { units }),
  };
}

/** The verbs of everything that is known to come. */
function verbsToCome(state: EngineState): unknown[] {
  const { actions, arrivals, outages } = state;
  const rows = [...state.submissions.items(), ...state.held.keys()];
  const repairs = outages.map(({ given }) =>
    typeof given.repair === 'object' && 'verb' in given.repair ? given.repair.verb : null,
  );
  return [...rows.map((row) => actions.instances[row]!.verb), ...arrivals.map(({ given }) => given.verb), ...repairs];
}

/** The definitions that actions to come may name (all of them where hooks may submit any), and what else they are judged by. */
function contextOf(state: EngineState, known: readonly unknown[] | null): CarryOver['context'] {
  const { rules } = state;
  const defs: Record<string, ActionDef> = {};
  const verbs = known ?? rules.defs.flatMap((source) => Object.keys(source ?? {}));
  for (const verb of new Set(verbs)) {
    if (typeof verb !== 'string') continue;
    for (const source of rules.defs) {
      const def = ownValue(source, verb);
      if (def !== undefined && !Object.hasOwn(defs, verb)) putOwn(defs, verb, def as ActionDef);
    }
  }
  const { pc, allies } = rules.onlookers;
  return {
    action_defs: defs,
    ...(rules.skills === undefined ? {} : { skills: rules.skills as NonNullable<CarryOver['context']['skills']> }),
    ...(rules.rawModifiers === undefined ? {} : { modifiers: rules.rawModifiers }),
    ...(rules.rawLockDefs === undefined ? {} : { lock_defs: rules.rawLockDefs }),
    ...(pc === undefined ? {} : { pc }),
    ...(allies.size === 0 ? {} : { allies: [...allies] }),
  };
}
