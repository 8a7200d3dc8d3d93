import { byCodeUnit } from '../engine/action-kind.js';
import { putOwn } from '../interchange/own-property.js';
import { END } from '../tables/event-log.js';
import { ResourceTable } from '../tables/resource-table.js';
import type { Part } from './lock-figures.js';

/** A stock over time: `points` are `[minute, stock]` where it changes, from the first minute on. */
export interface StockFigures {
  mean: number;
  min: number;
  max: number;
  end: number;
  points: [number, number][];
}

/** The figures of every resource over `[from, to)`: every end is settled once more. */
export function stockFigures(parts: readonly Part[], from: number, to: number): Record<string, StockFigures> {
  const points = new Map<string, [number, number][]>();
  const note = (name: string, t: number, stock: number): void => {
    const known = points.get(name) ?? [];
    points.set(name, known);
    if (known.at(-1)?.[0] === t) known.at(-1)![1] = stock;
    else if (known.at(-1)?.[1] !== stock) known.push([t, stock]);
  };
  for (const { state, offset } of parts) {
    const table = ResourceTable.from(state.firstStocks);
    for (const [name, { stock }] of Object.entries(state.firstStocks)) note(name, offset, stock);
    for (let i = 0; state.anyNeeds && i < state.log.count; i++) {
      if (state.log.type[i] !== END) continue;
      const { needs, yields } = state.kinds[state.actions.kind(state.log.action[i]!)]!;
      table.consume(needs);
      table.produce(yields);
      for (const { name } of [...needs, ...yields]) note(name, offset + state.log.t[i]!, table.stockOf(name));
    }
  }
  const figures: Record<string, StockFigures> = {};
  for (const name of [...points.keys()].sort(byCodeUnit)) putOwn(figures, name, figuresOf(points.get(name)!, from, to));
  return figures;
}

function figuresOf(points: [number, number][], from: number, to: number): StockFigures {
  let [area, min, max] = [0, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  points.forEach(([t, stock], i) => {
    const start = Math.max(from, t);
    const end = Math.min(to, points[i + 1]?.[0] ?? to);
    if (end < start || (end === start && i + 1 < points.length)) return;
    area += stock * (end - start);
    min = Math.min(min, stock);
    max = Math.max(max, stock);
  });
  const end = points.at(-1)![1];
  return { mean: to > from ? area / (to - from) : end, min, max, end, points };
}
