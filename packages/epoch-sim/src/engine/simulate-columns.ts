import { InvalidColumns } from '../interchange/sim-errors.js';
import { KeptArrays } from '../tables/kept-arrays.js';

/** Actions as columns. `lock[lockOffset[i]]` to `lock[lockOffset[i + 1] - 1]` are the locks of action `i`. */
export interface ActionColumns {
  /** The length of the epoch. */
  readonly minutes: number;
  /** The minute of submission; negative ones are admitted at 0 in the order of their true time. */
  readonly submit: Int32Array;
  /** The effective duration, >= 1. */
  readonly duration: Int32Array;
  readonly lockOffset: Uint32Array;
  readonly lock: Uint32Array;
}

/** Events as columns, in the order of `schedule_events`. */
export interface EventColumns {
  /** 0 is a start, 1 an end. */
  readonly type: Uint8Array;
  readonly action: Uint32Array;
  readonly t: Int32Array;
  /** Every action that has not ended, in ascending order. */
  readonly carried: Uint32Array;
}

/**
 * The events of an epoch without interrupts, priorities and resources: the same as those of `runEpoch`, in a small part of the time. An
 * action starts at `max(submit, free time of its locks)`, so starts come from one pass in the order of the requests, and the order of
 * events from counting per minute. Throws `InvalidColumns`.
 */
export function simulateColumns(columns: ActionColumns): EventColumns {
  const locks = check(columns);
  const { minutes, submit, duration, lockOffset, lock } = columns;
  const order = requestOrder(submit, minutes);
  const freeAt = cleared('freeAt', locks);
  const startAt = kept.take('startAt', order.length);
  // Place 0 is left free, so that the minute before the first has no events.
  const startsPer = cleared('startsPer', minutes + 2);
  const endsPer = cleared('endsPer', minutes + 2);
  let ended = 0;
  let begun = 0;
  for (let i = 0; i < order.length; i++) {
    const action = order[i]!;
    let start = Math.max(0, submit[action]!);
    const last = lockOffset[action + 1]!;
    for (let place = lockOffset[action]!; place < last; place++) {
      const free = freeAt[lock[place]!]!;
      if (free > start) start = free;
    }
    const end = start + duration[action]!;
    for (let place = lockOffset[action]!; place < last; place++) freeAt[lock[place]!] = end;
    if (start >= minutes) {
      startAt[i] = -1;
      continue;
    }
    startAt[i] = start;
    startsPer[start + 1]!++;
    begun++;
    if (end <= minutes) {
      endsPer[end + 1]!++;
      ended++;
    }
  }
  return place(columns, order, startAt, startsPer, endsPer, begun + ended, ended);
}

/** Actions of this epoch by (minute, place in the list); negative minutes by their true time. */
function requestOrder(submit: Int32Array, minutes: number): Uint32Array {
  const count = submit.length;
  const early: number[] = [];
  const next = cleared('next', minutes + 1);
  for (let i = 0; i < count; i++) {
    const minute = submit[i]!;
    if (minute < 0) early.push(i);
    else if (minute < minutes) next[minute + 1]!++;
  }
  early.sort((a, b) => submit[a]! - submit[b]!);
  next[0] = early.length;
  for (let minute = 1; minute <= minutes; minute++) next[minute]! += next[minute - 1]!;
  const order = kept.take('order', next[minutes]!);
  order.set(early);
  for (let i = 0; i < count; i++) {
    const minute = submit[i]!;
    if (minute >= 0 && minute < minutes) order[next[minute]!++] = i;
  }
  return order;
}

/** Writes the events: of each minute first the ends, by the order of their starts, then the starts. */
function place(
  { minutes, submit, duration }: ActionColumns,
  order: Uint32Array,
  startAt: Int32Array,
  startsPer: Uint32Array,
  endsPer: Uint32Array,
  events: number,
  ended: number,
): EventColumns {
  // From here on the counts are the places of each minute's next end and next start.
  for (let minute = 0, at = 0; minute <= minutes; minute++) {
    const ends = endsPer[minute + 1]!;
    const starts = startsPer[minute + 1]!;
    endsPer[minute] = at;
    startsPer[minute] = at + ends;
    at += ends + starts;
  }
  const type = new Uint8Array(events);
  const action = new Uint32Array(events);
  const t = new Int32Array(events);
  for (let i = 0; i < order.length; i++) {
    const start = startAt[i]!;
    if (start < 0) continue;
    const at = startsPer[start]!++;
    action[at] = order[i]!;
    t[at] = start;
  }
  const hasEnded = cleared('hasEnded', submit.length);
  placeEnds(minutes, duration, { type, action, t }, endsPer, startsPer, hasEnded);
  const carried = new Uint32Array(submit.length - ended);
  for (let row = 0, at = 0; at < carried.length; row++) if (hasEnded[row] === 0) carried[at++] = row;
  return { type, action, t, carried };
}

/** The starts of a minute stand between the last of its ends and `nextStart`; in their order their ends are placed. */
function placeEnds(
  minutes: number,
  duration: Int32Array,
  { type, action, t }: Omit<EventColumns, 'carried'>,
  nextEnd: Uint32Array,
  nextStart: Uint32Array,
  hasEnded: Uint8Array,
): void {
  for (let minute = 0; minute < minutes; minute++) {
    // All ends of this minute are of earlier starts and have been placed.
    for (let at = nextEnd[minute]!; at < nextStart[minute]!; at++) {
      const row = action[at]!;
      const end = minute + duration[row]!;
      if (end > minutes) continue;
      const to = nextEnd[end]!++;
      type[to] = 1;
      action[to] = row;
      t[to] = end;
      hasEnded[row] = 1;
    }
  }
}

type Kept = typeof arrays;
const arrays = {
  order: new Uint32Array(0),
  next: new Uint32Array(0),
  startsPer: new Uint32Array(0),
  endsPer: new Uint32Array(0),
  startAt: new Int32Array(0),
  freeAt: new Float64Array(0),
  hasEnded: new Uint8Array(0),
};
const kept = new KeptArrays<Kept>(arrays);

function cleared<Name extends keyof Kept>(name: Name, length: number): Kept[Name] {
  return kept.take(name, length).fill(0) as Kept[Name];
}

function lockCount(lock: Uint32Array): number {
  let most = -1;
  for (let i = 0; i < lock.length; i++) if (lock[i]! > most) most = lock[i]!;
  return most + 1;
}

const MAX_MINUTES = 1 << 26;
const MAX_LOCKS = 1 << 26;

/** Returns the number of locks. */
function check({ minutes, submit, duration, lockOffset, lock }: ActionColumns): number {
  const count = submit.length;
  if (!Number.isInteger(minutes) || minutes < 1 || minutes > MAX_MINUTES)
    fail('minutes', minutes, `give a whole number from 1 to ${MAX_MINUTES}`);
  if (duration.length !== count) fail('duration', duration.length, `give ${count} durations, one for each submission`);
  if (lockOffset.length !== count + 1) fail('lockOffset', lockOffset.length, `give ${count + 1} offsets`);
  if (lockOffset[count]! > lock.length)
    fail('lockOffset', lockOffset[count], 'keep the offsets inside the lock column');
  const locks = lockCount(lock);
  if (locks > MAX_LOCKS) fail('lock', locks - 1, `number the locks from 0 to ${MAX_LOCKS - 1}`);
  for (let i = 0; i < count; i++) {
    if (duration[i]! < 1) fail(`duration[${i}]`, duration[i], 'give whole minutes >= 1');
    if (lockOffset[i]! > lockOffset[i + 1]!) fail(`lockOffset[${i}]`, lockOffset[i], 'give ascending offsets');
  }
  return locks;
}

function fail(field: string, value: unknown, remedy: string): never {
  throw new InvalidColumns(`InvalidColumns: ${field} is ${String(value)}; ${remedy}`, { field, value });
}
