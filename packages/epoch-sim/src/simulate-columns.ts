import { InvalidColumns } from './sim-errors.js';

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
 * The events of an epoch without interrupts, priorities and resources: the same as `runEpoch` gives, in a small part of the
 * time. An action starts at `max(submit, free time of its locks)`, so starts come from one pass in the order of the requests,
 * and the order of events from counting per minute. Throws `InvalidColumns`.
 */
export function simulateColumns(columns: ActionColumns): EventColumns {
  check(columns);
  const { minutes, submit, duration, lockOffset, lock } = columns;
  const count = submit.length;
  const { order, admitted } = requestOrder(submit, minutes);
  const freeAt = new Float64Array(lockCount(lock));
  const startAt = new Int32Array(admitted);
  // Place 0 is left free, so that running sums over the counts are first places.
  const startsPer = new Uint32Array(minutes + 2);
  const endsPer = new Uint32Array(minutes + 2);
  let ended = 0;
  let begun = 0;
  for (let i = 0; i < admitted; i++) {
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
  const inStartOrder = scatter(order, startAt, startsPer.slice(), begun);
  return place(columns, inStartOrder, startsPer, endsPer, ended, count);
}

/** Actions of this epoch by (minute, place in the list); negative minutes by their true time. */
function requestOrder(submit: Int32Array, minutes: number): { order: Uint32Array; admitted: number } {
  const count = submit.length;
  const early: number[] = [];
  const next = new Uint32Array(minutes + 1);
  for (let i = 0; i < count; i++) {
    const minute = submit[i]!;
    if (minute < 0) early.push(i);
    else if (minute < minutes) next[minute + 1]!++;
  }
  early.sort((a, b) => submit[a]! - submit[b]!);
  next[0] = early.length;
  for (let minute = 1; minute <= minutes; minute++) next[minute]! += next[minute - 1]!;
  const admitted = next[minutes]!;
  const order = new Uint32Array(admitted);
  order.set(early);
  for (let i = 0; i < count; i++) {
    const minute = submit[i]!;
    if (minute >= 0 && minute < minutes) order[next[minute]!++] = i;
  }
  return { order, admitted };
}

/** Sorts requests by the minute of their start; within a minute they keep their order. */
function scatter(order: Uint32Array, startAt: Int32Array, next: Uint32Array, begun: number): Started {
  for (let minute = 1; minute < next.length; minute++) next[minute]! += next[minute - 1]!;
  const action = new Uint32Array(begun);
  const at = new Int32Array(begun);
  for (let i = 0; i < order.length; i++) {
    const start = startAt[i]!;
    if (start < 0) continue;
    const to = next[start]!++;
    action[to] = order[i]!;
    at[to] = start;
  }
  return { action, at };
}

interface Started {
  readonly action: Uint32Array;
  readonly at: Int32Array;
}

/** Writes the events: of each minute first the ends, by the order of their starts, then the starts. */
function place(
  { minutes, duration }: ActionColumns,
  started: Started,
  startsPer: Uint32Array,
  endsPer: Uint32Array,
  ended: number,
  count: number,
): EventColumns {
  const begun = started.action.length;
  const nextEnd = new Uint32Array(minutes + 1);
  const nextStart = new Uint32Array(minutes + 1);
  for (let minute = 0, at = 0; minute <= minutes; minute++) {
    nextEnd[minute] = at;
    at += endsPer[minute + 1]!;
    nextStart[minute] = at;
    at += startsPer[minute + 1]!;
  }
  const type = new Uint8Array(begun + ended);
  const action = new Uint32Array(begun + ended);
  const t = new Int32Array(begun + ended);
  const hasEnded = new Uint8Array(count);
  for (let i = 0; i < begun; i++) {
    const row = started.action[i]!;
    const start = started.at[i]!;
    const startPlace = nextStart[start]!++;
    action[startPlace] = row;
    t[startPlace] = start;
    const end = start + duration[row]!;
    if (end > minutes) continue;
    const endPlace = nextEnd[end]!++;
    type[endPlace] = 1;
    action[endPlace] = row;
    t[endPlace] = end;
    hasEnded[row] = 1;
  }
  const carried = new Uint32Array(count - ended);
  for (let row = 0, at = 0; row < count; row++) if (hasEnded[row] === 0) carried[at++] = row;
  return { type, action, t, carried };
}

function lockCount(lock: Uint32Array): number {
  let most = -1;
  for (let i = 0; i < lock.length; i++) if (lock[i]! > most) most = lock[i]!;
  return most + 1;
}

const MOST_MINUTES = 1 << 26;
const MOST_LOCKS = 1 << 26;

function check({ minutes, submit, duration, lockOffset, lock }: ActionColumns): void {
  const count = submit.length;
  if (!Number.isInteger(minutes) || minutes < 1 || minutes > MOST_MINUTES)
    fail('minutes', minutes, `give a whole number from 1 to ${MOST_MINUTES}`);
  if (duration.length !== count) fail('duration', duration.length, `give ${count} durations, one for each submission`);
  if (lockOffset.length !== count + 1) fail('lockOffset', lockOffset.length, `give ${count + 1} offsets`);
  if (lockOffset[count]! > lock.length)
    fail('lockOffset', lockOffset[count], 'keep the offsets inside the lock column');
  if (lockCount(lock) > MOST_LOCKS) fail('lock', lockCount(lock) - 1, `number the locks from 0 to ${MOST_LOCKS - 1}`);
  for (let i = 0; i < count; i++) {
    if (duration[i]! < 1) fail(`duration[${i}]`, duration[i], 'give whole minutes >= 1');
    if (lockOffset[i]! > lockOffset[i + 1]!) fail(`lockOffset[${i}]`, lockOffset[i], 'give ascending offsets');
  }
}

function fail(field: string, value: unknown, remedy: string): never {
  throw new InvalidColumns(`InvalidColumns: ${field} is ${String(value)}; ${remedy}`, { field, value });
}
