import { compileKind, type Fault, isFault } from '../engine/action-kind.js';
import { engineRules } from '../engine/engine-rules.js';
import { EngineState, FINISHED_EARLIER, type PendingInterrupt, type PendingReveal } from '../engine/engine-state.js';
import { epochOf } from '../engine/epoch-window.js';
import { HOOK_NAMES, type HookName, type Hooks } from '../interchange/hooks.js';
import type {
  ActionDef,
  ActionInstance,
  EpochInput,
  IgnoredInterrupt,
  Rejection,
  Stock,
} from '../interchange/interchange.js';
import type { EpochOptions } from '../interchange/options.js';
import { emptyColumn, RECORD_COLUMNS } from '../tables/action-records.js';
import { Status } from '../tables/action-table.js';
import type { Column } from '../tables/columns.js';
import { LockKind } from '../tables/lock-table.js';
import { ResourceTable } from '../tables/resource-table.js';
import { type AgendaImage, agendaImage, takeAgenda } from './agenda-image.js';
import { admittedNext, rebuildLists } from './rebuild-lists.js';
import { check, refuse } from './snapshot-fault.js';

/** The part of a state that only grows: names, submitted actions and definitions, and the input they are judged by. */
export interface StaticPart {
  names: string[];
  instances: ActionInstance[];
  kinds: { verb: string; def: ActionDef }[];
  kind_of: [string, number][];
  input: Omit<EpochInput, 'actions_submitted' | 'action_defs'> & { action_defs: unknown; carried_defs: unknown };
}

/** The part that changes and is not a column. All of it is JSON. */
export interface MovingPart {
  options: Omit<EpochOptions, HookName>;
  minute: number;
  next_request: number;
  next_start: number;
  interrupts: PendingInterrupt[];
  reveals: PendingReveal[];
  /** Locks whose first waiter may be able to start. */
  dirty: number[];
  resources: Record<string, Stock>;
  faults: [number, Fault][];
  notes: [number, Record<string, unknown>][];
  rejections: Rejection[];
  ignored: IgnoredInterrupt[];
  finished: string[];
  agenda: AgendaImage;
  /** Number and hash of what an earlier epoch has logged, and which actions ran at its end. */
  before: { seq: number; hash: string; running: { id: string }[] } | null;
}

/** Everything that only grows. */
export function stillPart(state: EngineState): StaticPart {
  const { rules } = state;
  const { pc, allies } = rules.onlookers;
  return {
    names: state.names.texts,
    instances: state.actions.instances,
    kinds: state.kinds.map(({ verb, def }) => ({ verb, def })),
    kind_of: [...state.kindOf].filter((entry): entry is [string, number] => typeof entry[1] === 'number'),
    input: {
      epoch: epochOf(rules.window),
      action_defs: rules.defs[0],
      carried_defs: rules.defs[1],
      skills: rules.skills as EpochInput['skills'],
      modifiers: rules.rawModifiers,
      pc,
      allies: [...allies],
      ...(rules.rawLockDefs === undefined ? {} : { lock_defs: rules.rawLockDefs }),
    },
  };
}

/** Everything that changes and is not a column. */
export function movingPart(state: EngineState, before: MovingPart['before']): MovingPart {
  const functions: ReadonlySet<string> = new Set(HOOK_NAMES);
  const options = Object.entries(state.rules.options).filter(([name]) => !functions.has(name));
  return {
    options: Object.fromEntries(options),
    minute: state.minute,
    next_request: state.nextRequest,
    next_start: state.nextStart,
    interrupts: state.interrupts.slice(state.interruptCursor),
    reveals: state.reveals,
    dirty: state.locks.dirty,
    resources: state.resources.toRecord(),
    faults: [...state.faults],
    notes: [...state.log.notes],
    rejections: state.rejections,
    ignored: state.ignored,
    finished: state.finished,
    agenda: agendaImage(state),
    before,
  };
}

/** Every column of a state that does not follow from others, under a name of its own. */
export function stateColumns(state: EngineState): [string, Column][] {
  return [...prefixed('actions', state.actions.usedColumns()), ...otherColumns(state)];
}

/** The same without what the still part contains already: of actions only those that have been admitted, and what changes of them. */
export function movingColumns(state: EngineState): [string, Column][] {
  const { actions } = state;
  const columns: [string, Column][] = [...actions.movingColumns(), ...actions.lockColumns()];
  return [...prefixed('actions', columns), ...otherColumns(state)];
}

/** What `movingColumns` has left out, from the columns that the actions were filled in with. */
export function completeColumns(moving: Map<string, Column>, filled: ReadonlyMap<string, Column>): Map<string, Column> {
  const columns = new Map(moving);
  for (const name of ['priority', 'name']) columns.set(`actions.${name}`, filled.get(name)!);
  for (const name of RECORD_COLUMNS) {
    const column = filled.get(name) ?? emptyColumn(name, filled.get('name')?.length ?? refuse('columns', 'name'));
    const changed = moving.get(`actions.${name}`);
    if (changed !== undefined) column.set(changed);
    columns.set(`actions.${name}`, column);
  }
  return columns;
}

function prefixed(prefix: string, columns: [string, Column][]): [string, Column][] {
  return columns.map(([name, column]) => [`${prefix}.${name}`, column]);
}

/** Everything but the actions. */
function otherColumns(state: EngineState): [string, Column][] {
  const { locks } = state;
  return [
    ...prefixed('log', state.log.usedColumns()),
    ['locks.name', locks.name.subarray(0, locks.count)],
    ['locks.kind', locks.kind.subarray(0, locks.count)],
    ['admittedNext', admittedNext(state)],
  ];
}

/** A state as plain data. */
export interface StateImage {
  readonly still: StaticPart;
  readonly moving: MovingPart;
  readonly columns: ReadonlyMap<string, Column>;
}

/** Builds the state that a checked image shows. The columns are taken over, not copied. */
export function stateFromImage({ still, moving, columns }: StateImage, hooks: Hooks): EngineState {
  const state = new EngineState(rulesOf(still.input, moving.options, hooks));
  const { actions, log, locks } = state;
  for (const text of still.names) state.names.numberOf(text);
  check(state.names.texts.length === still.names.length, 'names', 'a name twice');
  actions.takeColumns(columnsOf('actions', columns), still.instances);
  log.takeColumns(columnsOf('log', columns), new Map(moving.notes));
  takeLocks(state, columns.get('locks.name')!, columns.get('locks.kind')!);
  for (const { verb, def } of still.kinds) {
    const kind = compileKind(verb, def, moving.options.lock_policy === 'fail');
    check(!isFault(kind), 'kinds', verb);
    state.addKind(kind);
  }
  check(locks.count === columns.get('locks.name')!.length, 'locks', locks.count);
  state.kindOf = new Map(still.kind_of);
  state.faults = new Map(moving.faults);
  state.resources = ResourceTable.from(moving.resources);
  state.minute = moving.minute;
  state.nextRequest = moving.next_request;
  state.nextStart = moving.next_start;
  for (const list of ['interrupts', 'reveals', 'rejections', 'ignored', 'finished'] as const)
    state[list] = moving[list].slice() as never;
  for (const row of moving.agenda.held) state.held.set(row, new Set());
  takeIds(state);
  takeAgenda(state, moving.agenda);
  rebuildLists(state, columns.get('admittedNext') as Int32Array);
  // Queues that are made anew touch their locks, whether or not they were.
  locks.dirty = [];
  locks.isDirty.fill(0);
  for (const lock of moving.dirty) locks.touch(lock);
  return state;
}

/** The columns of one table, under their own names. */
function columnsOf(table: string, columns: ReadonlyMap<string, Column>): Map<string, Column> {
  const prefix = `${table}.`;
  return new Map(
    [...columns].flatMap(([name, column]): [string, Column][] =>
      name.startsWith(prefix) ? [[name.slice(prefix.length), column]] : [],
    ),
  );
}

/** Locks and queues for resources get the numbers they had. */
function takeLocks(state: EngineState, names: Column, kinds: Column): void {
  for (let lock = 0; lock < names.length; lock++) {
    const text = state.names.texts[names[lock]!]!;
    const number = kinds[lock] === LockKind.level ? state.levelNumber(text) : state.lockNumber(text);
    check(number === lock && state.locks.kind[lock] === kinds[lock], 'locks.kind', kinds[lock]);
  }
}

/** Every action that was admitted has its id, and so has what an earlier epoch has finished. */
function takeIds(state: EngineState): void {
  const { actions, names } = state;
  state.actionOf = new Int32Array(names.texts.length).fill(-1);
  for (const id of state.finished) state.setRow(names.numberOf(id), FINISHED_EARLIER);
  for (let row = 0; row < actions.count; row++) {
    const status = actions.status(row);
    if (status !== Status.rejected && (status !== Status.future || state.held.has(row)))
      state.setRow(actions.name[row]!, row);
  }
}

function rulesOf(input: StaticPart['input'], options: EpochOptions, hooks: Hooks): EngineState['rules'] {
  const { carried_defs, ...given } = input;
  const rules = engineRules(
    { ...given, actions_submitted: [], action_defs: given.action_defs as EpochInput['action_defs'] },
    { ...options, ...hooks },
  );
  return { ...rules, defs: [given.action_defs, carried_defs] };
}
