import type { EpochResult, WaitRecord } from '../interchange/interchange.js';

/** One step back on the critical path: the action that kept the one before it waiting, over which lock, and until when. */
export interface WaitLink {
  action_id: string;
  /** Null for an action that is in front in a queue and waits itself. */
  lock: string | null;
  released_t: number | null;
}

/** Why an action waited. */
export interface WaitExplanation extends Omit<WaitRecord, 'behind'> {
  waited_min: number;
  /** From the direct predecessor back to an action that did not wait for another. */
  chain: WaitLink[];
}

/**
 * Which locks an action waited for, which actions had them, and the chain of predecessors that decided when it could start. Explains the
 * latest attempt that waited; one that never waited has an empty chain. Null when the action neither started nor waits in this epoch. Works
 * on a result that has been through JSON.
 */
export function explainWait(result: EpochResult, id: string): WaitExplanation | null {
  const byId = waitsById(result.waits);
  const wait = byId.get(id)?.at(-1);
  if (wait === undefined) return notWaiting(result, id);
  const { behind: _behind, ...facts } = wait;
  const until = wait.started_t ?? minutesOf(result);
  return { ...facts, waited_min: until - wait.requested_t, chain: chainOf(wait, byId) };
}

const known = new WeakMap<readonly WaitRecord[], ReadonlyMap<string, WaitRecord[]>>();

/** The records by action; read once per list, because callers query one action after the other. */
function waitsById(waits: readonly WaitRecord[]): ReadonlyMap<string, WaitRecord[]> {
  const before = known.get(waits);
  if (before !== undefined) return before;
  const byId = new Map<string, WaitRecord[]>();
  for (const record of waits) {
    const own = byId.get(record.action_id);
    if (own === undefined) byId.set(record.action_id, [record]);
    else own.push(record);
  }
  known.set(waits, byId);
  return byId;
}

function minutesOf({ epoch }: EpochResult): number {
  return (Date.parse(epoch.end_at) - Date.parse(epoch.start_at)) / 60_000;
}

function notWaiting(result: EpochResult, id: string): WaitExplanation | null {
  const start = result.schedule_events.find(({ type, action_id }) => type === 'start' && action_id === id);
  if (start === undefined) return null;
  const { t, meta } = start;
  const attempt = meta.attempt as number;
  return { action_id: id, attempt, requested_t: t, started_t: t, locks: [], waited_min: 0, chain: [] };
}

function chainOf(first: WaitRecord, byId: ReadonlyMap<string, WaitRecord[]>): WaitLink[] {
  const chain: WaitLink[] = [];
  const seen = new Set<WaitRecord>();
  let wait: WaitRecord | undefined = first;
  while (wait !== undefined && !seen.has(wait)) {
    seen.add(wait);
    const link = decisive(wait);
    if (link === null) break;
    chain.push(link);
    const limit = link.released_t ?? Number.POSITIVE_INFINITY;
    wait = byId.get(link.action_id)?.findLast(({ started_t }) => (started_t ?? limit) <= limit);
  }
  return chain;
}

/** The lock that was free last, or the action in front when all locks are free. */
function decisive({ locks, behind }: WaitRecord): WaitLink | null {
  let best: WaitLink | null = null;
  for (const { lock, held_by, released_t } of locks) {
    if (held_by === null || (behind.length > 0 && released_t !== null)) continue;
    const later = best === null || (best.released_t !== null && (released_t === null || released_t > best.released_t));
    if (later) best = { action_id: held_by, lock, released_t };
  }
  if (best !== null) return best;
  return behind.length > 0 ? { action_id: behind[0]!, lock: null, released_t: null } : null;
}
