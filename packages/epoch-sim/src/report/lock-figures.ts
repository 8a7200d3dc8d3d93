import { byCodeUnit } from '../engine/action-kind.js';
import type { EngineState } from '../engine/engine-state.js';
import { putOwn } from '../interchange/own-property.js';
import { LockKind } from '../tables/lock-table.js';
import { forEachStretch } from './stretches.js';

/** How much a lock was used and waited for. */
export interface LockFigures {
  capacity: number;
  utilisation: number;
  queue_mean: number;
  queue_max: number;
  down_min: number;
}

/** An epoch and the minute of the whole time line at which it begins. */
export interface Part {
  readonly state: EngineState;
  readonly offset: number;
}

interface Track {
  capacity: number;
  held: number;
  down: number;
  /** The minutes at which an action joins the queue, and those at which one leaves it. */
  joined: number[];
  left: number[];
}

/** The figures of every lock over `[from, to)`. */
export function lockFigures(parts: readonly Part[], from: number, to: number): Record<string, LockFigures> {
  const tracks = tracksOf(parts, from, to);
  const minutes = Math.max(0, to - from);
  const figures: Record<string, LockFigures> = {};
  for (const name of [...tracks.keys()].sort(byCodeUnit)) {
    const track = tracks.get(name)!;
    const { capacity, held, down } = track;
    let [area, max, last, length] = [0, 0, from, 0];
    for (const [t, next] of lengthsOf(track)) {
      area += length * (t - last);
      [last, length] = [t, next];
      max = Math.max(max, next);
    }
    const utilisation = minutes === 0 ? 0 : held / (capacity * minutes);
    const queue_mean = minutes === 0 ? 0 : area / minutes;
    putOwn(figures, name, { capacity, utilisation, queue_mean, queue_max: max, down_min: down });
  }
  return figures;
}

/** The length of every queue over `[0, to)` by the name of its lock, as `[minute, length]` where it changes. */
export function queuePoints(parts: readonly Part[], to: number): [string, [number, number][]][] {
  const tracks = [...tracksOf(parts, 0, to)].sort(([a], [b]) => byCodeUnit(a, b));
  return tracks.map(([name, track]) => [name, lengthsOf(track)]);
}

function tracksOf(parts: readonly Part[], from: number, to: number): Map<string, Track> {
  const tracks = new Map<string, Track>();
  for (const { state, offset } of parts) {
    const { actions, locks } = state;
    const own: Track[] = [];
    for (let lock = 0; lock < locks.count; lock++) {
      if (locks.kind[lock] === LockKind.level) continue;
      const name = state.lockName(lock);
      const track = tracks.get(name) ?? { capacity: 1, held: 0, down: 0, joined: [], left: [] };
      track.capacity = locks.capacity(lock);
      tracks.set(name, track);
      own[lock] = track;
    }
    forEachStretch(state, (kind, of, begin, stop) => {
      const start = Math.max(from, begin + offset);
      const end = Math.min(to, stop + offset);
      if (end <= start) return;
      if (kind === 'down') {
        own[of]!.down += end - start;
        return;
      }
      const first = actions.lockStart(of);
      const behind = first + actions.lockCount(of);
      for (let place = first; place < behind; place++) {
        const track = own[actions.pool.lock(place)];
        // A level is the queue for a resource.
        if (track === undefined) continue;
        if (kind === 'run') {
          track.held += (end - start) * actions.pool.units(place);
        } else {
          track.joined.push(start);
          track.left.push(end);
        }
      }
    });
  }
  return tracks;
}

/** The length of a queue, as `[minute, length]` where it changes. */
function lengthsOf({ joined, left }: Track): [number, number][] {
  const ins = Float64Array.from(joined).sort();
  const outs = Float64Array.from(left).sort();
  const points: [number, number][] = [];
  let [came, went, length] = [0, 0, 0];
  // Every action leaves after it has joined, so the list of leavings ends last.
  while (went < outs.length) {
    const t = Math.min(ins[came] ?? Number.POSITIVE_INFINITY, outs[went]!);
    const before = length;
    for (; outs[went] === t; went++) length--;
    for (; ins[came] === t; came++) length++;
    if (length !== before) points.push([t, length]);
  }
  return points;
}
