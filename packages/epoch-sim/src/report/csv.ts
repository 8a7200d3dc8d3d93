import { stateOf } from '../epoch/result-state.js';
import type { EpochResult } from '../interchange/interchange.js';
import { actionLines } from './action-bars.js';
import { figuresOf } from './figures.js';
import { originalResults, type ResultSource } from './original-results.js';
import type { Summary } from './summarize.js';

/** The events of a result as CSV (RFC 4180): seq, epoch, type, action_id, t, at, meta. Several results share one header. */
export function eventsCsv(results: EpochResult | readonly EpochResult[]): string {
  const rows = listOf(results).flatMap(({ schedule_events, carry_over, epoch }) => {
    const first = carry_over.seq - schedule_events.length;
    return schedule_events.map(({ type, action_id, t, at, meta }, i) => {
      return [first + i, epoch.index, type, action_id, t, at, JSON.stringify(meta)];
    });
  });
  return csv(['seq', 'epoch', 'type', 'action_id', 't', 'at', 'meta'], rows);
}

/**
 * The waits, runs and pauses of each action, as CSV: action_id, actor, verb, kind (wait, run or pause), from, to. Takes copies like
 * `summarize`.
 */
export function barsCsv(results: EpochResult | readonly EpochResult[], source: ResultSource = {}): string {
  const rows = originalResults(results, source).flatMap((result) => {
    const state = stateOf(result);
    return actionLines(result).lines.flatMap(({ id, bars }) => {
      const instance = state.actions.instances[state.rowOf(state.names.find(id))];
      return bars.map(({ kind, from, to }) => [id, instance?.actor ?? '', instance?.verb ?? '', kind, from, to]);
    });
  });
  return csv(['action_id', 'actor', 'verb', 'kind', 'from', 'to'], rows);
}

/** The figures of a summary as CSV: figure, value. A figure that was not measured has no value. */
export function figuresCsv(summary: Summary): string {
  const rows = figuresOf(summary).map(([figure, value]) => [figure, value ?? '']);
  return csv(['figure', 'value'], [['from', summary.from], ['to', summary.to], ...rows]);
}

function listOf(results: EpochResult | readonly EpochResult[]): readonly EpochResult[] {
  return Array.isArray(results) ? results : [results as EpochResult];
}

function csv(header: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  return [header, ...rows].map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

function cell(value: string | number): string {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
