import { type ActionInstance, type EpochResult, explainWait, type ScheduleEvent } from 'horae/sim';
import type { GanttLane, GanttPiece } from '../../wire/sim.js';

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
      id,
      actor,
      verb,
      locks: locksOf(verb),
      // A wait after a pause begins inside it: the wait is what is shown.
      pieces: [...done.filter(isPausing), ...waited, ...done.filter((piece) => !isPausing(piece))].filter(
        ({ from, to }) => to > from,
      ),
      rejected: rejected.get(id) ?? null,
      why: whyWaiting(result, id),
    };
  });
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
    } else if (type === 'end' || type === 'interrupt') {
      close('run', runningSince, t);
      runningSince = null;
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
  const links = explanation.chain.map(({ action_id, lock, released_t }) =>
    lock === null
      ? `${action_id} is in front of it`
      : `${action_id} had ${lock}${released_t === null ? '' : ` until minute ${released_t}`}`,
  );
  return `Waited ${explanation.waited_min} min: ${links.join(', because ') || 'for its turn'}.`;
}
