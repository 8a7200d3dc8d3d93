import { type Distribution, draw, faultWords, wholeMinutes } from '../interchange/distribution.js';
import { skillLevel, workOf } from '../interchange/effective-duration.js';
import { createMinuteReader } from '../interchange/instant.js';
import type { ActionInstance, Interrupt } from '../interchange/interchange.js';
import { ownValue } from '../interchange/own-property.js';
import { isFraction, quote } from '../interchange/sim-errors.js';
import { isVisible } from '../interchange/visibility.js';
import { Flag } from '../tables/action-table.js';
import { stableOrder } from '../tables/stable-order.js';
import { type ActionKind, compileKind, durationFault, type Fault, isFault, isPatience } from './action-kind.js';
import { noteFuture } from './dependencies.js';
import type { EngineState } from './engine-state.js';
import { reject } from './rejections.js';

/** Reads submitted actions into the state. Those that are late come first, by their true time; the rest by list order. */
export function submitAll(state: EngineState, instances: readonly ActionInstance[]): void {
  const readMinute = createMinuteReader(state.rules.window.start);
  const late: { minute: number; instance: ActionInstance; place: number }[] = [];
  const onTime: ActionInstance[] = [];
  const dues: number[] = [];
  const places = new Uint32Array(Array.isArray(instances) ? instances.length : 0);
  let place = -1;
  let anyAfter = false;
  for (const instance of Array.isArray(instances) ? instances : []) {
    place++;
    const minute = readMinute(instance?.submitted_at);
    if (!isUsable(state, instance)) continue;
    if (instance.after !== undefined) anyAfter = true;
    if (minute === null) {
      const problem = `submitted_at is ${quote(instance.submitted_at)}; give ISO 8601 with date and time, or whole minutes`;
      reject(state, instance.id, instance.verb, { code: 'InvalidTimestamp', problem }, null);
    } else if (minute - state.rules.window.start < state.minute) {
      late.push({ minute, instance, place });
    } else {
      onTime.push(instance);
      places[dues.length] = place;
      dues.push(minute - state.rules.window.start);
    }
  }
  late.sort((a, b) => a.minute - b.minute);
  const lateRows = prependLate(state, late);
  const rows = enlistAll(state, onTime, dues);
  if (anyAfter) {
    for (let i = 0; i < rows.length; i++) state.listed.set(rows[i]!, state.nextListed + places[i]!);
    lateRows.forEach((row, i) => {
      state.listed.set(row, lateListed(state.nextListed + late[i]!.place));
    });
    state.nextListed += place + 1;
  }
}

/** Late actions come first whatever their place in the list is; it counts once they have been held. */
export function lateListed(place: number): number {
  return -1 - place;
}

/** Assigns rows in the order of admission, because actions that happen together should lie together; reads in the order of the list. */
function enlistAll(state: EngineState, instances: readonly ActionInstance[], dues: readonly number[]): Uint32Array {
  const { actions } = state;
  const order = stableOrder(dues);
  const first = actions.addMany(instances.length);
  const rank = new Uint32Array(order.length);
  for (let i = 0; i < order.length; i++) {
    rank[order[i]!] = first + i;
    // In the order of the rows: an array that is filled out of order becomes a dictionary.
    actions.instances.push(instances[order[i]!]!);
  }
  for (let i = 0; i < instances.length; i++) fill(state, rank[i]!, instances[i]!, dues[i]!, 0);
  for (let i = 0; i < order.length; i++) state.submissions.put(first + i, dues[order[i]!]!);
  // Nearly every action needs one lock, a start and an end.
  actions.pool.reserve(instances.length);
  state.log.reserve(2 * instances.length);
  return rank;
}

/** Late actions go before what is already waiting for the same minute. */
function prependLate(state: EngineState, late: readonly { instance: ActionInstance }[]): number[] {
  if (late.length === 0) return [];
  const { submissions, minute } = state;
  submissions.turnTo(minute);
  const waiting = submissions.take(minute);
  const others = submissions.taken.slice(0, waiting);
  const rows = late.map(({ instance }) => enlist(state, instance, minute, 0));
  for (const row of others) submissions.put(row, minute);
  return rows;
}

function isUsable(state: EngineState, instance: ActionInstance): boolean {
  const isObject = typeof instance === 'object' && instance !== null;
  if (isObject && typeof instance.id === 'string' && typeof (instance.actor ?? '') === 'string') return true;
  const id = isObject ? String(instance.id) : String(instance);
  const problem = 'an action needs an id and an actor that are texts';
  reject(state, id, isObject ? instance.verb : undefined, { code: 'InvalidAction', problem }, null);
  return false;
}

/** Takes an action into the table, to be admitted at minute `due`. Faults are kept until then. */
export function enlist(state: EngineState, instance: ActionInstance, due: number, extraFlags: number): number {
  const row = addRow(state, instance, due, extraFlags);
  state.submissions.put(row, due);
  return row;
}

/** The same for an action that is not put into the calendar, because it is admitted at once or held. */
export function addRow(state: EngineState, instance: ActionInstance, due: number, extraFlags: number): number {
  const row = state.actions.add(instance);
  fill(state, row, instance, due, extraFlags);
  return row;
}

function fill(state: EngineState, row: number, instance: ActionInstance, due: number, extraFlags: number): void {
  const { actions } = state;
  actions.name[row] = state.names.numberOf(instance.id);
  actions.setDue(row, due);
  actions.setKind(row, -1);
  const fault = resolve(state, row, instance);
  if (fault !== null) state.faults.set(row, fault);
  actions.setFlags(row, actions.flags(row) | extraFlags);
  if (state.futureRows !== null) noteFuture(state, row);
  if (state.acyclic.size > 0 && instance.after !== undefined) state.acyclic.clear();
}

function resolve(state: EngineState, row: number, instance: ActionInstance): Fault | null {
  const { actions } = state;
  const found = kindNumber(state, instance.verb);
  if (typeof found !== 'number') return found;
  const kind = state.kinds[found]!;
  const priority = instance.priority ?? kind.priority;
  if (!Number.isFinite(priority))
    return { code: 'InvalidAction', problem: `priority is ${quote(priority)}; give a finite number` };
  const level = levelOf(state, kind, instance.actor);
  if (level === null) {
    const problem = `level of skill ${quote(kind.skill)} of ${quote(instance.actor)} is not a number; give 0 to 3`;
    return { code: 'InvalidSkill', problem };
  }
  const { duration_min, patience_min, after } = instance;
  const special = patience_min !== undefined || after !== undefined;
  let fault = state.kindFaults[found] as Fault | null;
  // Most actions have none of these.
  if (special || duration_min !== undefined) fault ??= instanceFault(instance);
  if (fault !== null) return fault;
  actions.setKind(row, found);
  actions.priority[row] = priority;
  const base = duration_min ?? kind.base;
  actions.setSpan(
    row,
    workOf(typeof base === 'number' ? base : drawnBase(state, base, instance.id), kind.effort, level),
  );
  const visible = isVisible(instance, kind.def, state.rules.onlookers);
  actions.setFlags(row, kind.flags | (visible ? Flag.visible : 0) | (special ? Flag.special : 0));
  return null;
}

/** A draw depends on the id alone, so that it does not matter when it is made. */
function drawnBase(state: EngineState, law: Distribution, id: string): number {
  return wholeMinutes(draw(law, 'duration', state.rules.seed, id, 1));
}

function instanceFault({ duration_min, patience_min, after }: ActionInstance): Fault | null {
  if (duration_min !== undefined) {
    const fault = durationFault(duration_min);
    if (fault !== null) return { code: 'InvalidDuration', problem: `duration_min: ${faultWords(fault)}` };
  }
  if (patience_min !== undefined && !isPatience(patience_min)) {
    const problem = `patience_min is ${quote(patience_min)}; give a whole number of minutes >= 1`;
    return { code: 'InvalidAction', problem };
  }
  if (after === undefined || (Array.isArray(after) && after.every((id) => typeof id === 'string'))) return null;
  return { code: 'InvalidAction', problem: 'after must be a list of ids' };
}

function kindNumber(state: EngineState, verb: unknown): number | Fault {
  if (typeof verb !== 'string') return { code: 'UnknownVerb', problem: `verb is ${quote(verb)}; give a name` };
  const known = state.kindOf.get(verb);
  if (known !== undefined) return known;
  let def: unknown;
  for (const defs of state.rules.defs) def ??= ownValue(defs, verb);
  const compiled = compileKind(verb, def, state.rules.options.lock_policy === 'fail');
  const number = isFault(compiled) ? compiled : state.addKind(compiled);
  state.kindOf.set(verb, number);
  return number;
}

/** Reads every definition of the input, so that its locks exist before any request for them. */
export function defineAll(state: EngineState, defs: unknown): void {
  if (typeof defs !== 'object' || defs === null) return;
  for (const verb of Object.keys(defs)) kindNumber(state, verb);
}

function levelOf(state: EngineState, kind: ActionKind, actor: string): 0 | 1 | 2 | 3 | null {
  const levels = ownValue(state.rules.skills, actor ?? '');
  if (levels === undefined || levels === null) return 1;
  return typeof levels === 'object' ? skillLevel(ownValue(levels, kind.skill)) : null;
}

export function isUsableInterrupt(given: unknown): boolean {
  const { priority = 1, resume = 'auto', resume_after_min: pause = 0, target } = (given ?? {}) as Interrupt;
  return (
    typeof target === 'string' &&
    Number.isFinite(priority) &&
    (resume === 'auto' || resume === 'never') &&
    Number.isInteger(pause) &&
    pause >= 0
  );
}

/** Reads interrupts into the state. Those in the past happen in the first minute that is not complete. */
export function scheduleInterrupts(state: EngineState, interrupts: readonly Interrupt[] | undefined): void {
  if (!Array.isArray(interrupts) || interrupts.length === 0) return;
  const readMinute = createMinuteReader(state.rules.window.start);
  const pending = state.interrupts.slice(state.interruptCursor);
  for (const given of interrupts) {
    const carriedIn = ownValue(given, 'due_in');
    const minute = readMinute(ownValue(given, 'at'));
    const { priority = 1 } = (given ?? {}) as Interrupt;
    if (minute === null || !isUsableInterrupt(given)) {
      ignoreUnreadable(state, given);
      continue;
    }
    const due = typeof carriedIn === 'number' ? state.minute + carriedIn : minute - state.rules.window.start;
    pending.push({ due: Math.max(due, state.minute), priority, given });
  }
  state.interrupts = pending.sort((a, b) => a.due - b.due || b.priority - a.priority);
  state.interruptCursor = 0;
}

/** Notes an interrupt or a cancellation that cannot be read. */
export function ignoreUnreadable(state: EngineState, given: unknown): void {
  const reason = isFraction(ownValue(given, 'at')) ? 'InvalidTimestamp' : 'invalid';
  state.ignored.push({ target: String(ownValue(given, 'target')), reason, t: null });
}
