import type { EpochMs } from '@horae/clock-store';
import { TimeRingError } from '../model/errors.js';
import type { RingEntry } from './ring-entry.js';
import { SlotTable } from './slot-table.js';

/** Entries that wait for their second. One slot is one second. */
export interface Ring<E extends RingEntry> {
  /** Adds an entry; false when (jobId, scheduleTime) is already in the ring. */
  push(entry: E): boolean;
  /**
   * Removes every entry whose time has come. `due` are those of the current second and the `drainSlots - 1` before it, `stale` all
   * older ones. Both by priority, then schedule time, then job id.
   */
  drain(now: EpochMs): { due: E[]; stale: E[] };
  /** Removes and returns a job's entries. */
  remove(jobId: number): E[];
  /** The earliest entry that is due after `now` and before the next whole second; null when there is none. */
  nextWithinSecond(now: EpochMs): EpochMs | null;
  readonly size: number;
}

/**
 * Creates a wheel of `slots` seconds. A slot holds entries of several rounds: the absolute time in the entry decides, so an entry a minute
 * ahead is never taken a minute early.
 */
export function createRing<E extends RingEntry>(
  options: {
    /** The number of one-second slots of the wheel: 60. */
    slots?: number;
    /** How many slots a drain visits, the current second and those before it: 3. */
    drainSlots?: number;
  } = {},
): Ring<E> {
  const { slots = 60, drainSlots = 3 } = options;
  if (!Number.isInteger(slots) || slots < 1) throw badOption('slots', slots, 'a whole number from 1 on');
  if (!Number.isInteger(drainSlots) || drainSlots < 1 || drainSlots > slots) {
    throw badOption('drainSlots', drainSlots, `a whole number from 1 to ${slots}`);
  }
  return new SlotRing(slots, drainSlots);
}

class SlotRing<E extends RingEntry> implements Ring<E> {
  private readonly wheel: SlotTable<E>[];
  private count = 0;
  /** No entry is older than this second, so a drain starts here. */
  private oldestSecond = Number.POSITIVE_INFINITY;

  constructor(
    private readonly slots: number,
    private readonly drainSlots: number,
  ) {
    this.wheel = Array.from({ length: slots }, () => new SlotTable());
  }

  get size(): number {
    return this.count;
  }

  push(entry: E): boolean {
    const second = Math.floor(entry.scheduleTime / 1_000);
    if (!this.slotOf(second).add(entry)) return false;
    this.count += 1;
    if (second < this.oldestSecond) this.oldestSecond = second;
    return true;
  }

  drain(now: EpochMs): { due: E[]; stale: E[] } {
    const due: E[] = [];
    const stale: E[] = [];
    const current = Math.floor(now / 1_000);
    const firstDue = (current - this.drainSlots + 1) * 1_000;
    if (this.count > 0) {
      const steps = Math.min(this.slots, current - this.oldestSecond + 1);
      for (let step = steps - 1; step >= 0; step--) {
        this.drainSlot(this.slotOf(current - step), now, firstDue, due, stale);
      }
      if (this.oldestSecond < current) this.oldestSecond = current;
    }
    this.count -= due.length + stale.length;
    if (this.count === 0) this.oldestSecond = Number.POSITIVE_INFINITY;
    return { due: inOrder(due), stale: inOrder(stale) };
  }

  remove(jobId: number): E[] {
    const removed: E[] = [];
    for (const slot of this.wheel) slot.take(jobId, removed);
    this.count -= removed.length;
    return inOrder(removed);
  }

  nextWithinSecond(now: EpochMs): EpochMs | null {
    if (this.count === 0) return null;
    const second = Math.floor(now / 1_000);
    const first = this.slotOf(second).firstBetween(now, (second + 1) * 1_000);
    return first === Number.POSITIVE_INFINITY ? null : first;
  }

  private drainSlot(slot: SlotTable<E>, now: EpochMs, firstDue: EpochMs, due: E[], stale: E[]): void {
    for (const entry of slot.empty()) {
      if (entry === undefined) continue;
      if (entry.scheduleTime > now) slot.add(entry);
      else if (entry.scheduleTime >= firstDue) due.push(entry);
      else stale.push(entry);
    }
  }

  private slotOf(second: number): SlotTable<E> {
    return this.wheel[((second % this.slots) + this.slots) % this.slots]!;
  }
}

/** A pass pushes in order, so that most drains have nothing to sort; checking costs far less than sorting. */
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
