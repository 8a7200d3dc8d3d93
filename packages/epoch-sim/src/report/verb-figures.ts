import { byCodeUnit } from '../engine/action-kind.js';
import { putOwn } from '../interchange/own-property.js';
import { Status } from '../tables/action-table.js';
import { CANCEL, END, INTERRUPT, START } from '../tables/event-log.js';
import type { Part } from './lock-figures.js';
import { type Spread, spreadOf } from './spread.js';

/** The outcomes of the actions of a verb. */
export interface VerbFigures {
  started: number;
  ended: number;
  rejected: number;
  cancelled: number;
  throughput_per_hour: number;
  wait: Spread;
  duration: Spread;
}

interface Track {
  started: number;
  ended: number;
  rejected: number;
  cancelled: number;
  waits: number[];
  durations: number[];
}

/** When an action made its first request and its first start. */
interface FirstStart {
  readonly asked: number;
  readonly t: number;
}

/** The figures of every verb: events from minute `from` on, waits and durations of actions requested from then on. */
export function verbFigures(parts: readonly Part[], from: number, to: number): Record<string, VerbFigures> {
  const tracks = new Map<string, Track>();
  const trackOf = (verb: unknown): Track => {
    const name = String(verb);
    const track = tracks.get(name) ?? { started: 0, ended: 0, rejected: 0, cancelled: 0, waits: [], durations: [] };
    tracks.set(name, track);
    return track;
  };
  let open = new Map<string, FirstStart>();
  for (const part of parts) {
    const byKind = part.state.kinds.map(({ verb }) => trackOf(verb));
    open = countEvents(part, from, byKind, open);
    part.state.rejections.forEach(({ t }, i) => {
      if (part.offset + (t ?? 0) >= from) trackOf(part.state.rejectedVerbs[i]).rejected++;
    });
  }
  const figures: Record<string, VerbFigures> = {};
  const hours = (to - from) / 60;
  for (const verb of [...tracks.keys()].sort(byCodeUnit)) {
    const { waits, durations, ...counts } = tracks.get(verb)!;
    const throughput_per_hour = hours > 0 ? counts.ended / hours : 0;
    putOwn(figures, verb, { ...counts, throughput_per_hour, wait: spreadOf(waits), duration: spreadOf(durations) });
  }
  return figures;
}

/** Counts the events of one epoch. `before` has the first starts of earlier epochs; returns those of actions that continue. */
function countEvents(
  { state, offset }: Part,
  from: number,
  byKind: readonly Track[],
  before: ReadonlyMap<string, FirstStart>,
): Map<string, FirstStart> {
  const { actions, log } = state;
  // Minutes of the whole time line; a first start in this epoch is never before `offset`.
  const started = new Float64Array(actions.count).fill(-1);
  const asked = new Float64Array(actions.count);
  for (const [id, first] of before) {
    const row = state.rowOf(state.names.find(id));
    if (row < 0) continue;
    started[row] = first.t;
    asked[row] = first.asked;
  }
  const lastInterrupt = new Map<number, number>();
  for (let i = 0; i < log.count; i++) {
    const row = log.action[i]!;
    if (row < 0) continue;
    const type = log.type[i]!;
    const t = offset + log.t[i]!;
    const track = byKind[actions.kind(row)]!;
    if (type === START && log.attempt[i] === 1) {
      started[row] = t;
      asked[row] = t - log.waited[i]!;
      if (t >= from) track.started++;
      if (asked[row]! >= from) track.waits.push(log.waited[i]!);
    } else if (type === END) {
      if (t >= from) track.ended++;
      if (started[row]! >= 0 && asked[row]! >= from) track.durations.push(t - started[row]!);
    } else if (type === CANCEL && t >= from) track.cancelled++;
    else if (type === INTERRUPT) lastInterrupt.set(row, t);
    if (type === CANCEL) lastInterrupt.delete(row);
  }
  // An interrupt without resumption has no event of its own.
  for (const [row, t] of lastInterrupt)
    if (t >= from && actions.status(row) === Status.cancelled) byKind[actions.kind(row)]!.cancelled++;
  const open = new Map<string, FirstStart>();
  for (let row = 0; row < actions.count; row++) {
    const status = actions.status(row);
    if (started[row]! < 0 || status === Status.ended || status === Status.cancelled) continue;
    open.set(state.idOf(row), { asked: asked[row]!, t: started[row]! });
  }
  return open;
}
