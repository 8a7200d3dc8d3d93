import { distributionFault, draw, faultPath, wholeMinutes } from '../interchange/distribution.js';
import type { LockNeed, Outage, RepairAction } from '../interchange/happenings.js';
import { minuteFrom } from '../interchange/instant.js';
import type { ActionDef } from '../interchange/interchange.js';
import { ownValue } from '../interchange/own-property.js';
import { invalidEpoch, invalidMoment } from '../interchange/sim-errors.js';
import { Flag, Status } from '../tables/action-table.js';
import { OUTAGE, RESTORE } from '../tables/event-log.js';
import { byCodeUnit, compileKind, durationFault, isFault, isLockNeed } from './action-kind.js';
import type { EngineState, OutageSource } from './engine-state.js';
import { stopRunning } from './stop-running.js';
import { enlist } from './submit.js';

/** Reads sources of outages into the state. Throws `InvalidEpoch` at the first bad one. */
export function scheduleOutages(state: EngineState, outages: readonly Outage[] | undefined): void {
  if (outages === undefined || outages === null) return;
  if (!Array.isArray(outages)) throw invalidEpoch('outages', outages, 'give a list');
  const { start } = state.rules.window;
  const counts = new Map<number, number>();
  for (const { lock } of state.outages) counts.set(lock, (counts.get(lock) ?? 0) + 1);
  for (const [i, given] of (outages as Outage[]).entries()) {
    checkOutage(state, given, `outages[${i}]`);
    const lock = state.lockNumber(given.lock);
    const others = counts.get(lock) ?? 0;
    counts.set(lock, others + 1);
    const source: OutageSource = { given, lock, key: `${given.lock}:${others}`, draws: 0, due: null };
    if (given.at === undefined) countDown(state, source, state.minute);
    else source.due = Math.max(state.minute, minuteFrom(start, given.at)! - start);
    state.outages.push(source);
  }
}

export function checkOutage(state: EngineState, given: Outage, field: string): void {
  if (typeof given !== 'object' || given === null)
    throw invalidEpoch(field, given, 'give { lock, at or every, repair }');
  const { lock, at, every, repair, policy = 'interrupt' } = given;
  if (typeof lock !== 'string') throw invalidEpoch(`${field}.lock`, lock, 'give the name of a lock');
  if ((at === undefined) === (every === undefined)) throw invalidEpoch(field, given, 'give either at or every');
  if (at !== undefined && minuteFrom(state.rules.window.start, at) === null)
    throw invalidMoment(`${field}.at`, at, 'give ISO 8601 with date and time, or whole minutes');
  const gaps = every === undefined ? null : distributionFault(every);
  if (gaps !== null) throw invalidEpoch(faultPath(`${field}.every`, gaps), gaps.value, `give ${gaps.expected}`);
  if (policy !== 'interrupt' && policy !== 'finish')
    throw invalidEpoch(`${field}.policy`, policy, 'give interrupt or finish');
  const fault = isRepairAction(repair) ? null : durationFault(repair);
  if (fault !== null) throw invalidEpoch(faultPath(`${field}.repair`, fault), fault.value, `give ${fault.expected}`);
  const problem = isRepairAction(repair) ? repairProblem(state, repair) : null;
  if (problem !== null) throw invalidEpoch(`${field}.repair`, repair, problem);
}

function isRepairAction(repair: unknown): repair is RepairAction {
  return ownValue(repair, 'verb') !== undefined;
}

function repairProblem(state: EngineState, { verb, actor = '', locks = [] }: RepairAction): string | null {
  if (typeof actor !== 'string' || !Array.isArray(locks) || !locks.every(isLockNeed))
    return 'give { verb, actor, locks }';
  const compiled = compileKind(String(verb), defOf(state, verb), false);
  return isFault(compiled) ? compiled.problem : null;
}

function defOf(state: EngineState, verb: unknown): unknown {
  let def: unknown;
  for (const defs of state.rules.defs) def ??= ownValue(defs, String(verb));
  return def;
}

/** Draws the time to the next outage. */
function countDown(state: EngineState, source: OutageSource, from: number): void {
  source.draws++;
  source.due = from + wholeMinutes(draw(source.given.every!, 'outage', state.rules.seed, source.key, source.draws));
}

/** Takes down the locks whose outages are due, in list order. The outage of a lock that is down already is nothing. */
export function outagePhase(state: EngineState, minute: number): void {
  if (state.outages.length === 0) return;
  for (const source of state.outages) {
    if (source.due === null || source.due > minute) continue;
    source.due = null;
    if (!state.locks.isDown(source.lock)) breakDown(state, source, minute);
  }
  state.outages = state.outages.filter(({ due, given }) => due !== null || given.every !== undefined);
}

function breakDown(state: EngineState, { given, lock, key, draws }: OutageSource, minute: number): void {
  const { actions, locks } = state;
  state.log.push(OUTAGE, -1 - lock, minute, 0, 0, 0);
  const holders = locks.holdersOf(lock).sort((a, b) => actions.started(a) - actions.started(b));
  locks.setDown(lock);
  for (const row of given.policy === 'finish' ? [] : holders) {
    if ((actions.flags(row) & Flag.interruptible) === 0) continue;
    stopRunning(state, row, minute, { reason: 'outage' });
    actions.setStatus(row, Status.suspended);
    actions.setDue(row, minute);
    state.resumptions.put(row, minute);
  }
  const { repair } = given;
  if (typeof repair === 'object' && 'verb' in repair) {
    state.down.set(lock, { due: null, by: sendRepair(state, lock, repair, minute) });
    return;
  }
  const minutes = typeof repair === 'number' ? repair : draw(repair, 'repair', state.rules.seed, key, draws);
  state.down.set(lock, { due: minute + wholeMinutes(minutes), by: null });
}

/** Submits the action that repairs a lock; it never needs the lock itself. */
function sendRepair(state: EngineState, lock: number, repair: RepairAction, minute: number): string {
  const { actions } = state;
  const text = state.lockName(lock);
  const n = (state.repairs.get(lock) ?? 0) + 1;
  state.repairs.set(lock, n);
  const id = `repair:${text}:${n}`;
  const instance = { id, actor: repair.actor ?? id, verb: repair.verb, params: {}, submitted_at: state.isoOf(minute) };
  const row = enlist(state, instance, minute, Flag.followUp);
  const kind = state.kinds[actions.kind(row)];
  if (kind === undefined) return id;
  const wanted: LockNeed[] = [...(kind.def.locks ?? []), ...(repair.locks ?? [])];
  const own = wanted.filter((need) => (typeof need === 'string' ? need : need.name) !== text);
  if (own.length !== (kind.def.locks ?? []).length || repair.locks !== undefined) {
    const number = repairKind(state, kind.verb, { ...kind.def, locks: own });
    const fault = state.kindFaults[number];
    if (fault) state.faults.set(row, fault);
    else actions.setKind(row, number);
  }
  return id;
}

/** The kind of a definition with the locks of a repair; each is added once. */
function repairKind(state: EngineState, verb: string, def: ActionDef): number {
  const text = JSON.stringify(def);
  const known = state.kinds.findIndex((kind) => kind.verb === verb && JSON.stringify(kind.def) === text);
  if (known >= 0) return known;
  const compiled = compileKind(verb, def, state.rules.options.lock_policy === 'fail');
  if (isFault(compiled)) throw invalidEpoch('outages.repair', verb, compiled.problem);
  return state.addKind(compiled);
}

/** Brings up the locks whose repair ends at `minute`, by name; their next outages are counted from here. */
export function restoreLocks(state: EngineState, minute: number): void {
  const repaired = [...state.down].filter(([, { due, by }]) => {
    if (by === null) return due! <= minute;
    const row = state.rowOf(state.names.find(by));
    return row >= 0 && state.actions.status(row) === Status.ended;
  });
  const locks = repaired.map(([lock]) => lock);
  for (const lock of locks.sort((a, b) => byCodeUnit(state.lockName(a), state.lockName(b)))) {
    state.down.delete(lock);
    state.locks.setUp(lock);
    state.log.push(RESTORE, -1 - lock, minute, 0, 0, 0);
    for (const source of state.outages)
      if (source.lock === lock && source.due === null) countDown(state, source, minute);
  }
}

/** The first minute of an outage or of the end of a repair, or Infinity. */
export function nextOutage({ outages, down }: EngineState): number {
  let soonest = Number.POSITIVE_INFINITY;
  for (const { due } of outages) if (due !== null) soonest = Math.min(soonest, due);
  for (const { due } of down.values()) if (due !== null) soonest = Math.min(soonest, due);
  return soonest;
}
