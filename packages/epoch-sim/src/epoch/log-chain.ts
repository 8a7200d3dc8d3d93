import { createHash } from 'node:crypto';
import type { EngineState } from '../engine/engine-state.js';
import { type EpochWindow, slotOf } from '../engine/epoch-window.js';
import type { LogRecord } from '../interchange/interchange.js';
import { Flag } from '../tables/action-table.js';
import { VISIBILITY_CHANGE } from '../tables/event-log.js';

/** The hash before the first record of the first epoch. */
export const FIRST_HASH = '0'.repeat(64);

/** The hash of a record: SHA-256 over the hash before it and the record's JSON without its own hash. */
function chainHash(previous: string, record: Omit<LogRecord, 'hash'>): string {
  return createHash('sha256').update(previous).update('\n').update(JSON.stringify(record)).digest('hex');
}

/** Both logs of a state. The PC's log holds the very records of the world's log that the PC can see, in the same order. */
export function chainLogs(
  state: EngineState,
  window: EpochWindow,
  firstSeq: number,
  previous: string,
): { world_log: LogRecord[]; pc_log: LogRecord[] } {
  const { log, actions } = state;
  const world_log: LogRecord[] = [];
  const pc_log: LogRecord[] = [];
  let hash = previous;
  const events = log.events(0, state.idOf, state.isoOf);
  for (let i = 0; i < events.length; i++) {
    const event = events[i]!;
    const unsigned = { ...event, seq: firstSeq + i, epoch: window.index, slot: slotOf(window, event.t) };
    hash = chainHash(hash, unsigned);
    const record: LogRecord = { ...unsigned, hash };
    world_log.push(record);
    const row = log.action[i]!;
    const isOfLock = row < 0;
    if (log.type[i] === VISIBILITY_CHANGE || (!isOfLock && (actions.flags(row) & Flag.visible) !== 0))
      pc_log.push(record);
  }
  return { world_log, pc_log };
}

/**
 * The number (`seq`) of the first record of a world log that does not follow from the records before it, or null when the chain is intact.
 * `previous` is the last hash of the epoch before; leave it out for the first epoch.
 */
export function verifyLog(worldLog: readonly LogRecord[], previous: string = FIRST_HASH): number | null {
  let hash = previous;
  for (const { hash: claimed, ...record } of worldLog) {
    const { type, action_id, t, at, meta, seq, epoch, slot } = record;
    hash = chainHash(hash, { type, action_id, t, at, meta, seq, epoch, slot });
    if (hash !== claimed) return seq;
  }
  return null;
}
