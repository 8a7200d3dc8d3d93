import { type ActionKind, compileKind, type Fault, isFault } from './action-kind.js';
import { Flag } from './action-table.js';
import { skillLevel, workOf } from './effective-duration.js';
import type { EngineState } from './engine-state.js';
import { createMinuteReader } from './instant.js';
import type { ActionInstance, Interrupt } from './interchange.js';
import { ownValue } from './own-property.js';
import { quote } from './sim-errors.js';
import { stableOrder } from './stable-order.js';
import { isVisible } from './visibility.js';

/** Reads submitted actions into the state. Those that are late come first, by their true time; the rest by list order. */
export function submitAll(state: EngineState, instances: readonly ActionInstance[]): void {
  const readMinute = createMinuteReader();
  const late: { minute: number; instance: ActionInstance }[] = [];
  const onTime: ActionInstance[] = [];
  const dues: number[] = [];
  for (const instance of Array.isArray(instances) ? instances : []) {
    const minute = readMinute(instance?.submitted_at);
    if (!isUsable(state, instance)) continue;
    if (minute === null) {
      const problem = `submitted_at is ${quote(instance.submitted_at)}; give ISO 8601 with date and time`;
      reject(state, instance.id, { code: 'InvalidTimestamp', problem }, null);
    } else if (minute - state.rules.window.start < state.minute) {
      late.push({ minute, instance });
    } else {
      onTime.push(instance);
      dues.push(minute - state.rules.window.start);
    }
  }
  late.sort((a, b) => a.minute - b.minute);
  prependLate(state, late);
  enlistAll(state, onTime, dues);
}

/** Gives rows in the order of admission, because what happens together should lie together; reads in the order of the list. */
function enlistAll(state: EngineState, instances: readonly ActionInstance[], dues: readonly number[]): void {
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
  // What nearly every action needs: one lock, a start and an end.
  actions.pool.reserve(instances.length);
  state.log.reserve(2 * instances.length);
}

/** Late actions go before what is already waiting for the same minute. */
function prependLate(state: EngineState, late: readonly { instance: ActionInstance }[]): void {
  if (late.length === 0) return;
  const { submissions, minute } = state;
  submissions.turnTo(minute);
  const waiting = submissions.take(minute);
  const others = submissions.taken.slice(0, waiting);
  for (const { instance } of late) enlist(state, instance, minute, 0);
  for (const row of others) submissions.put(row, minute);
}

function isUsable(state: EngineState, instance: ActionInstance): boolean {
  const isObject = typeof instance === 'object' && instance !== null;
  if (isObject && typeof instance.id === 'string' && typeof (instance.actor ?? '') === 'string') return true;
  const id = isObject ? String(instance.id) : String(instance);
  reject(state, id, { code: 'InvalidAction', problem: 'an action needs an id and an actor that are texts' }, null);
  return false;
}

/** Takes an action into the table, to be admitted at minute `due`. Faults are kept until then. */
export function enlist(state: EngineState, instance: ActionInstance, due: number, extraFlags: number): number {
  const row = state.actions.add(instance);
  fill(state, row, instance, due, extraFlags);
  state.submissions.put(row, due);
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
  actions.setKind(row, found);
  actions.priority[row] = priority;
  actions.setSpan(row, workOf(kind.base, kind.effort, level));
  const visible = isVisible(instance, kind.def, state.rules.onlookers);
  actions.setFlags(row, kind.flags | (visible ? Flag.visible : 0));
  return null;
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

/** Reads every definition of the input, so that its locks are known before anyone asks for them. */
export function defineAll(state: EngineState, defs: unknown): void {
  if (typeof defs !== 'object' || defs === null) return;
  for (const verb of Object.keys(defs)) kindNumber(state, verb);
}

function levelOf(state: EngineState, kind: ActionKind, actor: string): 0 | 1 | 2 | 3 | null {
  const levels = ownValue(state.rules.skills, actor ?? '');
  if (levels === undefined || levels === null) return 1;
  return typeof levels === 'object' ? skillLevel(ownValue(levels, kind.skill)) : null;
}

export function reject(state: EngineState, id: string, fault: Fault, t: number | null): void {
  const message = `${fault.code}: action ${quote(id)}: ${fault.problem}`;
  state.rejections.push({ id, code: fault.code, t, message });
}

/** Reads interrupts into the state. Those in the past happen in the first minute that is not complete. */
export function scheduleInterrupts(state: EngineState, interrupts: readonly Interrupt[] | undefined): void {
  if (!Array.isArray(interrupts) || interrupts.length === 0) return;
  const readMinute = createMinuteReader();
  const pending = state.interrupts.slice(state.interruptCursor);
  for (const given of interrupts) {
    const carriedIn = ownValue(given, 'due_in');
    const minute = readMinute(ownValue(given, 'at'));
    const { priority = 1, resume = 'auto', resume_after_min: pause = 0, target } = (given ?? {}) as Interrupt;
    const usable =
      typeof target === 'string' &&
      Number.isFinite(priority) &&
      (resume === 'auto' || resume === 'never') &&
      Number.isInteger(pause) &&
      pause >= 0;
    if (minute === null || !usable) {
      state.ignored.push({ target: String(target), reason: 'invalid', t: null });
      continue;
    }
    const due = typeof carriedIn === 'number' ? state.minute + carriedIn : minute - state.rules.window.start;
    pending.push({ due: Math.max(due, state.minute), priority, given });
  }
  state.interrupts = pending.sort((a, b) => a.due - b.due || b.priority - a.priority);
  state.interruptCursor = 0;
}
