import { type ActionInstance, type EpochResult, explainWait, type LockNeed, type ScheduleEvent } from 'horae/sim';
import type { GanttLane, GanttPiece } from '../../wire/sim.js';
import { bounds, cutMessage, cutName, firstNames } from './bounds.js';

/** One lane per action, in the order of submission, cut into what it did when. Minutes from `from` on, up to `minutes`. */
export function ganttLanes(
  result: EpochResult,
  actions: readonly ActionInstance[],
  locksOf: (verb: string) => readonly string[],
  minutes: number,
): GanttLane[] {
  const events = byAction(result.schedule_events);
  const rejected = new Map(result.rejections.map(({ id, message }) => [id, message]));
  const waits = byAction(result.waits);
  const rejectionOf = (id: string) => (rejected.has(id) ? cutMessage(rejected.get(id)!) : null);
  return actions.map(({ id, actor, verb }) => {
    const waited = (waits.get(id) ?? []).map(
      ({ requested_t, started_t }): GanttPiece => ({
        kind: 'wait',
        from: requested_t,
        to: started_t ?? minutes,
        isOpen: started_t === null,
      }),
    );
    const done = piecesOf(events.get(id) ?? [], minutes);
    const isPausing = (piece: GanttPiece) => piece.kind === 'pause';
    return {
      id: cutName(id),
      actor: cutName(actor),
      verb: cutName(verb),
      locks: firstNames(locksOf(verb), bounds.locksPerLane),
      // A wait after a pause begins inside it: the wait is what is shown.
      pieces: [...done.filter(isPausing), ...waited, ...done.filter((piece) => !isPausing(piece))]
        .filter(({ from, to }) => to > from)
        .slice(0, bounds.piecesPerLane),
      rejected: rejectionOf(id) ?? cancelledWords(events.get(id) ?? []),
      why: whyWaiting(result, id),
    };
  });
}

/** Why an action never came to its end, in words. */
function cancelledWords(events: readonly ScheduleEvent[]): string | null {
  const cancelled = events.find(({ type }) => type === 'cancel');
  return cancelled === undefined ? null : `Cancelled at minute ${cancelled.t}: ${String(cancelled.meta.reason)}.`;
}

/** The names of the locks that a definition asks for. */
export function lockNames(locks: readonly LockNeed[] = []): string[] {
  return locks.map((lock) => (typeof lock === 'string' ? lock : lock.name));
}

function byAction<R extends { action_id: string }>(records: readonly R[]): Map<string, R[]> {
  const groups = new Map<string, R[]>();
  for (const record of records) {
    const group = groups.get(record.action_id);
    if (group === undefined) groups.set(record.action_id, [record]);
    else group.push(record);
  }
  return groups;
}

function piecesOf(events: readonly ScheduleEvent[], minutes: number): GanttPiece[] {
  const pieces: GanttPiece[] = [];
  let runningSince: number | null = null;
  let pausedSince: number | null = null;
  const close = (kind: 'run' | 'pause', from: number | null, to: number, isOpen = false) => {
    if (from !== null) pieces.push({ kind, from, to, isOpen });
  };
  for (const { type, t, meta } of events) {
    if (type === 'start') {
      close('pause', pausedSince, t);
      pausedSince = null;
      runningSince = t;
    } else if (type === 'end' || type === 'interrupt' || type === 'cancel') {
      close('run', runningSince, t);
      if (type === 'cancel') close('pause', pausedSince, t);
      runningSince = null;
      pausedSince = null;
      if (type === 'interrupt' && meta.resume !== 'never') pausedSince = t;
    }
  }
  close('run', runningSince, minutes, true);
  close('pause', pausedSince, minutes, true);
  return pieces;
}

/** The chain of predecessors as a sentence. */
function whyWaiting(result: EpochResult, id: string): string | null {
  const explanation = explainWait(result, id);
  if (explanation === null || explanation.waited_min <= 0) return null;
  const links = explanation.chain.slice(0, bounds.linksPerExplanation).map(({ action_id, lock, released_t }) => {
    const name = cutName(action_id);
    if (lock === null) return `${name} is in front of it`;
    return `${name} had ${cutName(lock)}${released_t === null ? '' : ` until minute ${released_t}`}`;
  });
  if (explanation.chain.length > links.length) links.push('and so on');
  return `Waited ${explanation.waited_min} min: ${links.join(', because ') || 'for its turn'}.`;
}
