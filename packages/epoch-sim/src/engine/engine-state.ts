import type { Arrival, Cancellation, Outage } from '../interchange/happenings.js';
import type { HookName, ToldAction } from '../interchange/hooks.js';
import { isoOfMinute } from '../interchange/instant.js';
import type { IgnoredInterrupt, Interrupt, Rejection, Stock } from '../interchange/interchange.js';
import { quote } from '../interchange/sim-errors.js';
import { ActionTable } from '../tables/action-table.js';
import { grown } from '../tables/columns.js';
import { EventLog } from '../tables/event-log.js';
import { LockSets } from '../tables/lock-sets.js';
import { LockKind, LockTable } from '../tables/lock-table.js';
import { MinuteCalendar } from '../tables/minute-calendar.js';
import { NameTable } from '../tables/name-table.js';
import { type Need, NO_NEEDS, ResourceTable } from '../tables/resource-table.js';
import type { ActionKind, Fault } from './action-kind.js';
import type { EngineRules } from './engine-rules.js';

export interface PendingInterrupt {
  readonly due: number;
  readonly priority: number;
  readonly given: Interrupt;
}

export interface PendingReveal {
  readonly due: number;
  readonly row: number;
  readonly meta: Record<string, unknown>;
}

export interface PendingCancellation {
  readonly due: number;
  readonly given: Cancellation;
}

/** A source of arrivals; `sum` is that of its gaps, or the last time of its cron text in milliseconds. */
export interface ArrivalSource {
  readonly given: Arrival;
  readonly origin: number;
  readonly end: number | null;
  /** The number of the next arrival, and its minute; null when there is none any more. */
  next: number;
  due: number | null;
  sum: number;
}

/** A source of outages; `due` is null while it waits for a repair. */
export interface OutageSource {
  readonly given: Outage;
  readonly lock: number;
  /** The key of its draws. */
  readonly key: string;
  draws: number;
  due: number | null;
}

/** A repair under way: its last minute, or the id of the action that does it. */
export interface Repair {
  readonly due: number | null;
  readonly by: string | null;
}

/** A hook that is to be called when its part of the minute is complete. */
export interface HookCall {
  readonly hook: HookName;
  readonly row: number;
  readonly told: ToldAction;
}

/**
 * The whole state of a simulation. Nothing in it depends on epochs: minutes count from `rules.window.start`, and a cut at any minute is
 * this state written down.
 */
export class EngineState {
  rules: EngineRules;
  /** The first minute that is not complete. */
  minute = 0;
  names = new NameTable();
  actionOf = new Int32Array(0);
  lockOf = new Int32Array(0);
  actions = new ActionTable();
  locks = new LockTable();
  submissions = new MinuteCalendar();
  resumptions = new MinuteCalendar();
  ends = new MinuteCalendar();
  /** By (due, priority descending, list order); the done ones are before the cursor. */
  interrupts: PendingInterrupt[] = [];
  interruptCursor = 0;
  /** By (due, list order). */
  cancellations: PendingCancellation[] = [];
  arrivals: ArrivalSource[] = [];
  outages: OutageSource[] = [];
  /** Locks that are down. */
  down = new Map<number, Repair>();
  /** How many repairs by actions each lock has had. */
  repairs = new Map<number, number>();
  /** First requests by the minute in which their patience ends, and their number. */
  patience = new MinuteCalendar();
  patient = 0;
  /** Actions that are due but come after others, and what they still wait for; the same by the names they wait for. */
  held = new Map<number, Set<string>>();
  waitingFor = new Map<string, number[]>();
  /** Places in the lists of submissions; not needed for batches without `after`. */
  listed = new Map<number, number>();
  nextListed = 0;
  /** Rows to be admitted by their names; made at the first lookup. */
  futureRows: Map<number, Set<number>> | null = null;
  /** Ids that are known to come after nothing that comes after them; forgotten when further such actions are submitted. */
  acyclic = new Set<string>();
  /** Ids that were cancelled in an earlier epoch. */
  cancelledEarlier = new Set<string>();
  calls: HookCall[] = [];
  /** By (due, order of scheduling). */
  reveals: PendingReveal[] = [];
  /** Waiting actions that may preempt. */
  preemptors: number[] = [];
  /** Whether a preemptor may find another world in the next minute, although nothing else happens in it. */
  lookAgain = false;
  /** Waiting actions without locks: they start in this minute. */
  unlocked: number[] = [];
  resources = new ResourceTable();
  kinds: ActionKind[] = [];
  kindLocks = new LockSets();
  /** The fault of a kind in this world. */
  kindFaults: (Fault | null)[] = [];
  /** The queues for the resources that a kind waits for. */
  kindLevels: (readonly number[])[] = [];
  levelOf = new Map<string, number>();
  /** Whether any kind needs or makes resources; most worlds have none. */
  anyNeeds = false;
  /** Stocks at the beginning, for figures. */
  firstStocks: Record<string, Stock> = {};
  kindOf = new Map<string, number | Fault>();
  faults = new Map<number, Fault>();
  log = new EventLog();
  rejections: Rejection[] = [];
  /** The verbs of the rejections, for figures. */
  rejectedVerbs: string[] = [];
  ignored: IgnoredInterrupt[] = [];
  nextRequest = 0;
  nextStart = 0;
  /** Ids of actions that an earlier epoch has finished. */
  finished: string[] = [];

  constructor(rules: EngineRules) {
    this.rules = rules;
  }

  /** The number of the action called by this name number, or -1. */
  rowOf(name: number): number {
    return name >= 0 && name < this.actionOf.length ? this.actionOf[name]! : -1;
  }

  setRow(name: number, row: number): void {
    if (this.actionOf.length <= name) this.actionOf = grown(this.actionOf, name + 1, -1);
    this.actionOf[name] = row;
  }

  lockNumber(text: string): number {
    const name = this.names.numberOf(text);
    if (this.lockOf.length <= name) this.lockOf = grown(this.lockOf, name + 1, -1);
    if (this.lockOf[name]! < 0) {
      const { kind, capacity } = this.rules.lockDefs.get(text) ?? { kind: LockKind.narrow, capacity: 1 };
      this.lockOf[name] = this.locks.add(name, kind, capacity);
    }
    return this.lockOf[name]!;
  }

  /** The number of the queue for a resource. */
  levelNumber(text: string): number {
    const level = this.levelOf.get(text) ?? this.locks.add(this.names.numberOf(text), LockKind.level);
    this.levelOf.set(text, level);
    return level;
  }

  findLock(text: string): number {
    const name = this.names.find(text);
    return name >= 0 && name < this.lockOf.length ? this.lockOf[name]! : -1;
  }

  /** The resources that the action needs. Kinds are many and far apart in memory, so they are read only when they may matter. */
  needsOf(row: number): readonly Need[] {
    return this.anyNeeds ? this.kinds[this.actions.kind(row)]!.needs : NO_NEEDS;
  }

  addKind(kind: ActionKind): number {
    const locks = kind.locks.map((lock) => this.lockNumber(lock));
    this.kindLocks.add(locks, kind.units);
    const waitedFor = kind.waits ? [...new Set(kind.needs.map(({ name }) => name))] : [];
    this.kindLevels.push(waitedFor.map((name) => this.levelNumber(name)));
    this.kindFaults.push(this.#faultOf(kind, locks));
    if (kind.needs.length > 0 || kind.yields.length > 0) this.anyNeeds = true;
    return this.kinds.push(kind) - 1;
  }

  #faultOf(kind: ActionKind, locks: readonly number[]): Fault | null {
    const inOrder = locks.filter((lock) => this.locks.kind[lock] === LockKind.priority).length;
    if (inOrder > 0 && (inOrder < locks.length || kind.waits)) {
      const problem = `the queues of ${quote(kind.verb)} have two orders, which can block each other; give all of them one`;
      return { code: 'InvalidAction', problem };
    }
    const place = kind.units?.findIndex((units, i) => units > this.locks.capacity(locks[i]!)) ?? -1;
    if (place < 0) return null;
    const capacity = this.locks.capacity(locks[place]!);
    const problem = `it asks for ${kind.units![place]} units of lock ${quote(kind.locks[place])}, which has ${capacity}`;
    return { code: 'CannotAcquireLock', problem: `${problem}; ask for fewer or raise its capacity` };
  }

  /** The text that events name: the id of an action, or `lock:<name>` for a number below zero. */
  idOf = (row: number): string => (row >= 0 ? this.names.texts[this.actions.name[row]!]! : this.#lockId(row));

  #lockId(row: number): string {
    return `lock:${this.lockName(-1 - row)}`;
  }

  lockName(lock: number): string {
    return this.names.texts[this.locks.name[lock]!]!;
  }

  isoOf = (t: number): string => isoOfMinute(this.rules.window.start + t);

  clone(): EngineState {
    const copy = new EngineState(this.rules);
    copy.minute = this.minute;
    copy.names = this.names;
    copy.actionOf = this.actionOf.slice();
    copy.lockOf = this.lockOf.slice();
    for (const table of [
      'actions',
      'locks',
      'submissions',
      'resumptions',
      'ends',
      'patience',
      'resources',
      'log',
      'kindLocks',
    ] as const)
      copy[table] = this[table].clone() as never;
    copy.interrupts = this.interrupts.slice(this.interruptCursor);
    for (const list of LISTS) copy[list] = this[list].slice() as never;
    for (const map of MAPS) copy[map] = new Map(this[map] as Map<unknown, unknown>) as never;
    for (const number of ['patient', 'nextListed'] as const) copy[number] = this[number];
    copy.lookAgain = this.lookAgain;
    copy.arrivals = this.arrivals.map((source) => ({ ...source }));
    copy.outages = this.outages.map((source) => ({ ...source }));
    copy.held = new Map([...this.held].map(([row, names]) => [row, new Set(names)]));
    copy.waitingFor = new Map([...this.waitingFor].map(([name, rows]) => [name, rows.slice()]));
    copy.cancelledEarlier = new Set(this.cancelledEarlier);
    copy.firstStocks = this.firstStocks;
    copy.anyNeeds = this.anyNeeds;
    copy.nextRequest = this.nextRequest;
    copy.nextStart = this.nextStart;
    return copy;
  }
}

const LISTS = [
  'cancellations',
  'reveals',
  'preemptors',
  'unlocked',
  'kinds',
  'kindFaults',
  'kindLevels',
  'finished',
  'rejections',
  'rejectedVerbs',
  'ignored',
] as const;
const MAPS = ['kindOf', 'faults', 'down', 'repairs', 'listed', 'levelOf'] as const;

/** Taken in an earlier epoch: the id cannot be used again. */
export const FINISHED_EARLIER = -2;
