import type { EventType, ScheduleEvent } from '../interchange/interchange.js';
import { type Column, grown, roomyCopy } from './columns.js';

export const EVENT_TYPES = [
  'start',
  'end',
  'interrupt',
  'visibility_change',
  'cancel',
  'outage',
  'restore',
] as const satisfies EventType[];
export const START = 0;
export const END = 1;
export const INTERRUPT = 2;
export const VISIBILITY_CHANGE = 3;
export const CANCEL = 4;
export const OUTAGE = 5;
export const RESTORE = 6;

/** The columns and the short names of their types. */
export const LOG_COLUMNS = {
  type: 'u8',
  action: 'i32',
  t: 'i32',
  minutes: 'f64',
  attempt: 'i32',
  waited: 'i32',
} as const;
const COLUMNS = Object.keys(LOG_COLUMNS) as (keyof typeof LOG_COLUMNS)[];

/** The meta of every end. */
const NOTHING: Record<string, unknown> = Object.freeze({});

/** The same number, as an integer wherever it is a small one: a double in an object is an object of its own. */
function unboxed(value: number): number {
  const whole = value | 0;
  return whole === value ? whole : value;
}

/**
 * Events as columns. `minutes` is `d_eff` of a start, `d_rem` of an interrupt, and of a cancel `d_rem` or -1 when it has not
 * run; the `attempt` of a cancel is 0 unless it ran. The action of an outage and its end is `-1 - lock`.
 */
export class EventLog {
  count = 0;
  type = new Uint8Array(0);
  action = new Int32Array(0);
  t = new Int32Array(0);
  minutes = new Float64Array(0);
  attempt = new Int32Array(0);
  waited = new Int32Array(0);
  /** The data of interrupts, visibility changes and cancels beyond the columns. */
  notes = new Map<number, Record<string, unknown>>();

  /** Makes room for events to come. */
  reserve(more: number): void {
    for (const column of COLUMNS) this[column] = grown(this[column] as Int32Array, this.count + more) as never;
  }

  push(type: number, action: number, t: number, minutes: number, attempt: number, waited: number): number {
    const at = this.count++;
    if (this.type.length < this.count) this.reserve(0);
    this.type[at] = type;
    this.action[at] = action;
    this.t[at] = t;
    this.minutes[at] = minutes;
    this.attempt[at] = attempt;
    this.waited[at] = waited;
    return at;
  }

  meta(at: number): Record<string, unknown> {
    const type = this.type[at];
    if (type === START)
      return { d_eff: unboxed(this.minutes[at]!), attempt: this.attempt[at]!, waited_min: this.waited[at]! };
    if (type === END) return NOTHING;
    const note = this.notes.get(at);
    if (type === CANCEL && this.minutes[at]! >= 0) return { ...note, d_rem: unboxed(this.minutes[at]!) };
    return type === INTERRUPT ? { d_rem: unboxed(this.minutes[at]!), ...note } : { ...note };
  }

  /** The events from number `from` on as objects. */
  events(from: number, idOf: (action: number) => string, isoOf: (t: number) => string): ScheduleEvent[] {
    const events = new Array<ScheduleEvent>(Math.max(0, this.count - from));
    let minute = Number.NaN;
    let at = '';
    for (let i = from; i < this.count; i++) {
      const t = this.t[i]!;
      if (t !== minute) {
        minute = t;
        at = isoOf(t);
      }
      const type = EVENT_TYPES[this.type[i]!]!;
      events[i - from] = { type, action_id: idOf(this.action[i]!), t, at, meta: this.meta(i) };
    }
    return events;
  }

  clone(): EventLog {
    const copy = new EventLog();
    copy.count = this.count;
    for (const column of COLUMNS) copy[column] = roomyCopy(this[column] as Int32Array, this.count) as never;
    copy.notes = new Map(this.notes);
    return copy;
  }

  usedColumns(): [string, Column][] {
    return COLUMNS.map((name) => [name, this[name].subarray(0, this.count)]);
  }

  /** Takes over columns that `usedColumns` has returned. */
  takeColumns(columns: ReadonlyMap<string, Column>, notes: Map<number, Record<string, unknown>>): void {
    for (const name of COLUMNS) this[name] = columns.get(name) as never;
    this.count = this.type.length;
    this.notes = notes;
  }
}
