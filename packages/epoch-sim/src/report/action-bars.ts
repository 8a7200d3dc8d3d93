import { findState } from '../epoch/result-state.js';
import type { EpochResult } from '../interchange/interchange.js';

/** A stretch of an action's time. `open` at the right means that it continues in the next epoch. */
export interface Bar {
  kind: 'run' | 'wait' | 'pause' | 'down';
  from: number;
  to: number;
  open: boolean;
  /** The action of the bar, where a line has those of several actions; shortened. */
  of?: string;
}

/** One line of a chart: an action and its stretches over time. */
export interface ActionLine {
  id: string;
  bars: Bar[];
  /** Minutes at which it became visible. */
  reveals: number[];
  /** The label before it; the id by default. */
  label?: string;
}

/** Reads the lines of a chart from a result, in the order in which actions first appear. */
export function actionLines(result: EpochResult): { lines: ActionLine[]; minutes: number } {
  const minutes = (Date.parse(result.epoch.end_at) - Date.parse(result.epoch.start_at)) / 60_000;
  const lines = new Map<string, ActionLine>();
  const since = new Map<string, number>();
  const line = (id: string): ActionLine => {
    const known = lines.get(id) ?? { id, bars: [], reveals: [] };
    lines.set(id, known);
    return known;
  };
  const log = findState(result)?.log;
  for (const [i, { type, action_id, t, meta }] of result.schedule_events.entries()) {
    if (type === 'outage' || type === 'restore') continue;
    const { bars, reveals } = line(action_id);
    if (type === 'cancel' && !since.has(action_id) && (log?.attempt[i] ?? 0) === 0) {
      const asked = Math.max(0, t - (log?.waited[i] ?? 0));
      if (t > asked) bars.push({ kind: 'wait', from: asked, to: t, open: false });
    } else if (type === 'visibility_change') {
      reveals.push(t);
    } else if (type === 'start') {
      const asked = Math.max(0, t - (meta.waited_min as number));
      const last = bars.at(-1);
      if (last !== undefined && asked > last.to) bars.push({ kind: 'pause', from: last.to, to: asked, open: false });
      if (t > asked) bars.push({ kind: 'wait', from: asked, to: t, open: false });
      since.set(action_id, t);
    } else {
      bars.push({ kind: 'run', from: since.get(action_id) ?? 0, to: t, open: false });
      since.delete(action_id);
    }
  }
  for (const [id, from] of since) line(id).bars.push({ kind: 'run', from, to: minutes, open: true });
  const started = new Set(since.keys());
  for (const { id } of result.carry_over.running)
    if (!started.has(id)) line(id).bars.push({ kind: 'run', from: 0, to: minutes, open: true });
  for (const { id, waited_min } of result.carry_over.waiting)
    line(id).bars.push({ kind: 'wait', from: Math.max(0, minutes - waited_min), to: minutes, open: true });
  for (const { id } of result.carry_over.suspended) {
    const from = line(id).bars.at(-1)?.to ?? 0;
    line(id).bars.push({ kind: 'pause', from, to: minutes, open: true });
  }
  return { lines: [...lines.values()], minutes };
}
