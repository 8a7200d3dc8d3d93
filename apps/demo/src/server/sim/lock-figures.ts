import { type EpochResult, queueLengths, summarize } from 'horae/sim';
import type { LockFigure } from '../../wire/sim.js';
import { bounds, characters, cutName, fitting } from './bounds.js';

/** The figures of the locks by name, with their queues over time. Of very many locks those with the longest queues are taken. */
export function lockFigures(result: EpochResult): LockFigure[] {
  const queues = queueLengths(result);
  const busiest = Object.entries(summarize(result).locks).sort(
    ([, a], [, b]) => b.queue_mean - a.queue_mean || b.utilisation - a.utilisation,
  );
  const figures = busiest.slice(0, bounds.figures).map(([name, { capacity, utilisation, queue_mean, queue_max }]) => ({
    name: cutName(name),
    capacity,
    utilisation,
    queueMean: queue_mean,
    queueMax: queue_max,
    queue: thinned(queues[name] ?? []),
  }));
  return fitting(figures, bounds.figures, characters.figures).sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** A queue over time with fewer points: of each group of neighbours the longest queue, and the last point as it is. */
function thinned(points: readonly [number, number][]): [number, number][] {
  const size = Math.ceil(points.length / bounds.queuePoints);
  if (size <= 1) return [...points];
  const groups = Array.from({ length: Math.ceil(points.length / size) }, (_, i) => {
    const group = points.slice(i * size, (i + 1) * size);
    return group.reduce((longest, point) => (point[1] > longest[1] ? point : longest));
  });
  return [...groups.slice(0, -1), points.at(-1)!];
}
