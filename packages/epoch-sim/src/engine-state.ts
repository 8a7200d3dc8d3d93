import type { ActionKind, Fault } from './action-kind.js';
import { ActionTable } from './action-table.js';
import { grown } from './columns.js';
import type { EngineRules } from './engine-rules.js';
import { EventLog } from './event-log.js';
import { isoOfMinute } from './instant.js';
import type { IgnoredInterrupt, Interrupt, Rejection } from './interchange.js';
import { LockSets } from './lock-sets.js';
import { LockTable } from './lock-table.js';
import { MinuteCalendar } from './minute-calendar.js';
import { NameTable } from './name-table.js';
import { type Need, NO_NEEDS, ResourceTable } from './resource-table.js';

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

/**
 * The whole state of a simulation. Nothing in it knows of epochs: minutes count from `rules.window.start`, and a cut at any
 * minute is this state written down.
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
  /** By (due, order of scheduling). */
  reveals: PendingReveal[] = [];
  /** Waiting actions that may preempt. */
  preemptors: number[] = [];
  /** Waiting actions without locks: they start in this minute. */
  unlocked: number[] = [];
  resources = new ResourceTable();
  kinds: ActionKind[] = [];
  kindLocks = new LockSets();
  /** Whether any kind needs resources; most worlds have none. */
  anyNeeds = false;
  kindOf = new Map<string, number | Fault>();
  faults = new Map<number, Fault>();
  log = new EventLog();
  rejections: Rejection[] = [];
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
    if (this.lockOf[name]! < 0) this.lockOf[name] = this.locks.add(name);
    return this.lockOf[name]!;
  }

  findLock(text: string): number {
    const name = this.names.find(text);
    return name >= 0 && name < this.lockOf.length ? this.lockOf[name]! : -1;
  }

  /** What the action needs of resources. Kinds are many and far apart in memory, so they are looked at only if they may say something. */
  needsOf(row: number): readonly Need[] {
    return this.anyNeeds ? this.kinds[this.actions.kind(row)]!.needs : NO_NEEDS;
  }

  addKind(kind: ActionKind): number {
    this.kindLocks.add(kind.locks.map((lock) => this.lockNumber(lock)));
    if (kind.needs.length > 0) this.anyNeeds = true;
    return this.kinds.push(kind) - 1;
  }

  idOf = (row: number): string => this.names.texts[this.actions.name[row]!]!;

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
      'resources',
      'log',
      'kindLocks',
    ] as const)
      copy[table] = this[table].clone() as never;
    copy.interrupts = this.interrupts.slice(this.interruptCursor);
    for (const list of ['reveals', 'preemptors', 'unlocked', 'kinds', 'finished'] as const)
      copy[list] = this[list].slice() as never;
    copy.kindOf = new Map(this.kindOf);
    copy.faults = new Map(this.faults);
    copy.rejections = this.rejections.slice();
    copy.ignored = this.ignored.slice();
    copy.anyNeeds = this.anyNeeds;
    copy.nextRequest = this.nextRequest;
    copy.nextStart = this.nextStart;
    return copy;
  }
}

/** Taken in an earlier epoch: the id cannot be used again. */
export const FINISHED_EARLIER = -2;
