import type { EpochMs } from '@horae/clock-store';
import { TimeRingError } from './time-ring-error.js';

/** What waits in the ring: identified by (jobId, scheduleTime). */
export interface RingEntry {
  jobId: number;
  scheduleTime: EpochMs;
  /** Higher goes first within a second; 0 by default. */
  priority?: number;
}

/** Entries that wait for their second. One slot is one second. */
export interface Ring<E extends RingEntry> {
  /** False when (jobId, scheduleTime) is already in. */
  push(entry: E): boolean;
  /**
   * Removes every entry whose time has come. `due` are those of the current second and the `drainSlots - 1` before it, `stale` all
   * older ones. Both by priority, then schedule time, then job id.
   */
  drain(now: EpochMs): { due: E[]; stale: E[] };
  /** Takes a job's entries out and gives them back. */
  remove(jobId: number): E[];
  readonly size: number;
}

/**
 * A wheel of `slots` seconds. A slot holds entries of several rounds: the absolute time in the entry decides, so an entry a
 * minute ahead is never taken a minute early.
 */
export function createRing<E extends RingEntry>(options: { slots?: number; drainSlots?: number } = {}): Ring<E> {
  const { slots = 60, drainSlots = 3 } = options;
  if (!Number.isInteger(slots) || slots < 1) throw badOption('slots', slots, 'a whole number from 1 on');
  if (!Number.isInteger(drainSlots) || drainSlots < 1 || drainSlots > slots) {
    throw badOption('drainSlots', drainSlots, `a whole number from 1 to ${slots}`);
  }
  return new SlotRing(slots, drainSlots);
}

/** A job has rarely more than one entry in a slot; only then is there a list. */
type Slot<E> = Map<number, E | E[]>;

class SlotRing<E extends RingEntry> implements Ring<E> {
  private readonly wheel: Slot<E>[];
  private count = 0;
  /** No entry is older than this second, so a drain begins its walk here. */
  private oldestSecond = Number.POSITIVE_INFINITY;

  constructor(
    private readonly slots: number,
    private readonly drainSlots: number,
  ) {
    this.wheel = Array.from({ length: slots }, () => new Map());
  }

  get size(): number {
    return this.count;
  }

  push(entry: E): boolean {
    const second = Math.floor(entry.scheduleTime / 1_000);
    const slot = this.slotOf(second);
    if (!put(slot, entry)) return false;
    this.count += 1;
    if (second < this.oldestSecond) this.oldestSecond = second;
    return true;
  }

  drain(now: EpochMs): { due: E[]; stale: E[] } {
    const due: E[] = [];
    const stale: E[] = [];
    const current = Math.floor(now / 1_000);
    const firstDue = (current - this.drainSlots + 1) * 1_000;
    const take = (entry: E) => void (entry.scheduleTime >= firstDue ? due : stale).push(entry);
    if (this.count > 0) {
      const steps = Math.min(this.slots, current - this.oldestSecond + 1);
      for (let step = 0; step < steps; step++) this.drainSlot(this.slotOf(current - step), now, take);
      if (this.oldestSecond < current) this.oldestSecond = current;
    }
    this.count -= due.length + stale.length;
    if (this.count === 0) this.oldestSecond = Number.POSITIVE_INFINITY;
    return { due: inOrder(due), stale: inOrder(stale) };
  }

  remove(jobId: number): E[] {
    const removed: E[] = [];
    for (const slot of this.wheel) {
      const there = slot.get(jobId);
      if (there === undefined) continue;
      slot.delete(jobId);
      removed.push(...(Array.isArray(there) ? there : [there]));
    }
    this.count -= removed.length;
    return inOrder(removed);
  }

  private drainSlot(slot: Slot<E>, now: EpochMs, take: (entry: E) => void): void {
    const later: E[] = [];
    const sort = (entry: E) => (entry.scheduleTime <= now ? take(entry) : later.push(entry));
    for (const there of slot.values()) {
      if (Array.isArray(there)) there.forEach(sort);
      else sort(there);
    }
    // A slot usually empties as a whole, and clearing it costs far less than deleting one by one.
    slot.clear();
    for (const entry of later) put(slot, entry);
  }

  private slotOf(second: number): Slot<E> {
    return this.wheel[((second % this.slots) + this.slots) % this.slots]!;
  }
}

/** False when the entry is already in. */
function put<E extends RingEntry>(slot: Slot<E>, entry: E): boolean {
  const there = slot.get(entry.jobId);
  if (there === undefined) slot.set(entry.jobId, entry);
  else if (Array.isArray(there)) {
    if (there.some(({ scheduleTime }) => scheduleTime === entry.scheduleTime)) return false;
    there.push(entry);
  } else if (there.scheduleTime === entry.scheduleTime) return false;
  else slot.set(entry.jobId, [there, entry]);
  return true;
}

/** A pass pushes in order, so that most drains have nothing to sort; looking costs far less than sorting. */
function inOrder<E extends RingEntry>(entries: E[]): E[] {
  for (let i = 1; i < entries.length; i++) {
    if (byUrgency(entries[i - 1]!, entries[i]!) > 0) return entries.sort(byUrgency);
  }
  return entries;
}

function byUrgency(a: RingEntry, b: RingEntry): number {
  return (b.priority ?? 0) - (a.priority ?? 0) || a.scheduleTime - b.scheduleTime || a.jobId - b.jobId;
}

function badOption(field: string, value: unknown, wanted: string): TimeRingError {
  return new TimeRingError('bad-option', `${field} must be ${wanted}, got ${String(value)}`, { field, value });
}
