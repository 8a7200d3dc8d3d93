import type { EpochResult } from '../interchange/interchange.js';
import { figuresOf } from './figures.js';
import { originalResults, type ResultSource } from './original-results.js';
import { queueLengths } from './queue-lengths.js';
import { renderGantt } from './render-gantt.js';
import { summarize, timeLine } from './summarize.js';
import { xmlText } from './xml-text.js';

/** The heading of a report, which part of the time line its figures are of, and what copied results were made from. */
export interface ReportOptions extends ResultSource {
  /** The heading of the report; `Simulation` by default. */
  readonly title?: string;
  /** Minutes at the beginning that no figure counts; 0 by default. */
  readonly warm_up_min?: number;
}

/** Locks beyond this number have no chart of their queue; the table has them all. */
const MAX_CHARTS = 12;
/** Points of a queue's chart; longer lines are thinned. */
const MAX_POINTS = 2_000;
/** Inside HTML a chart needs none. */
const NAMESPACE = ' xmlns="http://www.w3.org/2000/svg"';
const STYLE = `
  body{font:15px/1.5 system-ui,sans-serif;color:#1f2933;max-width:70rem;margin:2rem auto;padding:0 1rem}
  h1{font-size:1.5rem}h2{font-size:1.1rem;margin-top:2rem}.chart{overflow:hidden;border:1px solid #e3e8ee;border-radius:6px}
  .chart svg{display:block;width:100%;height:auto;touch-action:none}table{border-collapse:collapse;width:100%}
  th,td{text-align:left;padding:.2rem .6rem;border-bottom:1px solid #e3e8ee}td:last-child{text-align:right;font-variant-numeric:tabular-nums}
  .queue{stroke:#2f7ed8;fill:none;stroke-width:1.5}.axis{stroke:#c6ced8}small{color:#6b7785}`;
/** The wheel zooms, dragging moves, a double click shows everything again. */
const SCRIPT = `
  for (const svg of document.querySelectorAll('.chart svg')) {
    const all = svg.getAttribute('viewBox').split(' ').map(Number);
    let box = all.slice();
    const show = () => svg.setAttribute('viewBox', box.join(' '));
    svg.addEventListener('wheel', (event) => {
      event.preventDefault();
      const frame = svg.getBoundingClientRect();
      const scale = Math.min(1.25, Math.max(0.8, 1 + event.deltaY / 500));
      const width = Math.min(all[2], Math.max(all[2] / 50, box[2] * scale));
      const at = (event.clientX - frame.left) / frame.width;
      box[0] = Math.min(all[2] - width, Math.max(0, box[0] + (box[2] - width) * at));
      box[2] = width;
      show();
    }, { passive: false });
    svg.addEventListener('pointermove', (event) => {
      if (event.buttons !== 1) return;
      const moved = (event.movementX / svg.getBoundingClientRect().width) * box[2];
      box[0] = Math.min(all[2] - box[2], Math.max(0, box[0] - moved));
      show();
    });
    svg.addEventListener('dblclick', () => { box = all.slice(); show(); });
  }`;

/**
 * A report on one or several consecutive epochs as a single self-contained HTML file: charts that can be zoomed, the length of each lock's
 * queue over time, and a table of all figures.
 */
export function renderReport(results: EpochResult | readonly EpochResult[], options: ReportOptions = {}): string {
  const list = originalResults(results, options);
  const { to } = timeLine(list);
  const queues = queueLengths(list);
  const summary = summarize(list, options.warm_up_min === undefined ? {} : { warm_up_min: options.warm_up_min });
  const title = options.title ?? 'Simulation';
  const busiest = Object.entries(summary.locks)
    .filter(([, { queue_max }]) => queue_max > 0)
    .sort(([, a], [, b]) => b.queue_mean - a.queue_mean)
    .slice(0, MAX_CHARTS);
  const rows = figuresOf(summary).map(([name, value]) => `<tr><td>${xmlText(name)}</td><td>${shown(value)}</td></tr>`);
  return [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">`,
    `<title>${xmlText(title)}</title><style>${STYLE}</style></head><body>`,
    `<h1>${xmlText(title)}</h1><p>${xmlText(list[0]!.epoch.start_at)} to ${xmlText(list.at(-1)!.epoch.end_at)}</p>`,
    '<h2>Actions</h2><small>The wheel zooms, dragging moves, a double click shows everything.</small>',
    ...list.map((result) => `<div class="chart">${renderGantt(result).replace(NAMESPACE, '')}</div>`),
    busiest.length === 0 ? '' : '<h2>Queues</h2>',
    ...busiest.map(([name, { queue_max }]) => queueChart(name, queues[name]!, to, queue_max)),
    '<h2>Figures</h2><table><thead><tr><th>figure</th><th>value</th></tr></thead><tbody>',
    ...rows,
    `</tbody></table><script>${SCRIPT}</script></body></html>`,
    '',
  ].join('\n');
}

function shown(value: number | null): string {
  return value === null ? '–' : String(Number(value.toPrecision(6)));
}

function queueChart(name: string, points: readonly [number, number][], to: number, most: number): string {
  const [width, height] = [960, 120];
  const x = (t: number): number => Math.round((10 + (t / Math.max(1, to)) * (width - 20)) * 10) / 10;
  const y = (length: number): number => Math.round((height - 20 - (length / most) * (height - 40)) * 10) / 10;
  const every = Math.ceil(points.length / MAX_POINTS);
  const steps = points.filter((_, i) => i % every === 0);
  const path = steps.map(([t, length], i) => `${i === 0 ? `M${x(t)} ` : `H${x(t)}V`}${y(length)}`).join('');
  return [
    `<p>${xmlText(name)} <small>at most ${most}</small></p><div class="chart"><svg viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${xmlText(`Queue for ${name}`)}</title><line class="axis" x1="10" x2="${width - 10}" y1="${y(0)}" y2="${y(0)}"/>`,
    `<path class="queue" d="${path}H${x(to)}"/></svg></div>`,
  ].join('');
}
