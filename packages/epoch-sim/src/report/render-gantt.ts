import type { EpochResult } from '../interchange/interchange.js';
import { invalidEpoch } from '../interchange/sim-errors.js';
import type { ActionLine, Bar } from './action-bars.js';
import { LANES, lanesOf } from './gantt-lanes.js';
import { originalResults, type ResultSource } from './original-results.js';
import { xmlText } from './xml-text.js';

/** The content and the width of a chart. For lanes other than actions, a copied result needs the input it was made from. */
export interface GanttOptions extends ResultSource {
  /** The width of the whole image in pixels; 960 by default. */
  readonly width?: number;
  /** The heading of the chart; `Epoch <index>` by default. */
  readonly title?: string;
  /** The meaning of a line: one action by default, or everything that an actor, a lock or a verb is busy with. */
  readonly lanes?: 'action' | 'actor' | 'lock' | 'verb';
  /** Lines beyond this number are only counted; 200 by default. */
  readonly mostLines?: number;
  /** The first minute shown; that of the first bar by default. */
  readonly from?: number;
  /** The last minute shown; that of the last bar by default. */
  readonly to?: number;
}

const DOWN = '.down{fill:#c0392b}';
const LINE = 22;
const TOP = 58;
const LABEL = 170;
const STYLE = [
  'text{font:12px system-ui,sans-serif;fill:#1f2933}',
  '.head{font-weight:600;font-size:14px}.soft{fill:#6b7785}',
  '.grid{stroke:#e3e8ee}.run{fill:#2f7ed8}.wait{fill:#f3c98b}.pause{fill:#d9dee5}',
  '.reveal{fill:#c2378b}.open{fill:#2f7ed8}',
].join('');

/**
 * A Gantt chart as a self-contained SVG: one line per action with the time it runs, waits and is suspended, diamonds where something became
 * visible, and arrows where it continues in the next epoch. The same result yields the same bytes.
 */
export function renderGantt(result: EpochResult, options: GanttOptions = {}): string {
  const { lanes = 'action' } = options;
  if (!LANES.includes(lanes)) throw invalidEpoch('lanes', lanes, `give one of ${LANES.join(', ')}`);
  const isSelfContained = lanes === 'action' && options.input === undefined;
  const { lines, minutes } = lanesOf(isSelfContained ? result : originalResults(result, options)[0]!, lanes);
  const { width = 960, mostLines = 200, title = `Epoch ${result.epoch.index}` } = options;
  const shown = lines.slice(0, Math.max(0, mostLines));
  const [from, to] = range(shown, minutes, options);
  const x = (t: number): number => round(LABEL + ((t - from) / (to - from)) * (width - LABEL - 20));
  const left = lines.length - shown.length;
  const height = TOP + shown.length * LINE + (left > 0 ? 40 : 18);
  const parts = [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img">`,
    `<title>${xmlText(title)}</title><style>${STYLE}${options.lanes === 'lock' ? DOWN : ''}</style><rect width="${width}" height="${height}" fill="#fff"/>`,
    `<text class="head" x="12" y="22">${xmlText(title)}</text>`,
    legend(width),
    ...grid(result, from, to, height, x),
    ...shown.map((line, i) => drawLine(line, TOP + i * LINE, from, to, x)),
    left > 0 ? `<text class="soft" x="12" y="${height - 14}">and ${left} more</text>` : '',
    '</svg>',
  ];
  return `${parts.filter((part) => part !== '').join('\n')}\n`;
}

function range(lines: readonly ActionLine[], minutes: number, { from, to }: GanttOptions): [number, number] {
  const bars = lines.flatMap((line) => line.bars);
  const first = from ?? bars.reduce((least, bar) => Math.min(least, bar.from), bars.length > 0 ? minutes : 0);
  const last = to ?? bars.reduce((most, bar) => Math.max(most, bar.to), first + 1);
  return [first, Math.max(last, first + 1)];
}

function legend(width: number): string {
  const entries = [
    ['run', 'runs'],
    ['wait', 'waits'],
    ['pause', 'suspended'],
  ];
  return entries
    .map(([kind, text], i) => {
      const at = width - 280 + i * 90;
      return `<rect class="${kind}" x="${at}" y="12" width="12" height="12" rx="2"/><text x="${at + 17}" y="22">${text}</text>`;
    })
    .join('');
}

/** Vertical lines at a step that leaves room for its labels. */
function grid(result: EpochResult, from: number, to: number, height: number, x: (t: number) => number): string[] {
  const step =
    [5, 10, 15, 30, 60, 120, 240, 480, 1440].find((minutes) => (to - from) / minutes <= 12) ?? (to - from) / 12;
  const start = Date.parse(result.epoch.start_at);
  const parts: string[] = [];
  // The date stands where the first label of a day is, once there are several days.
  const dayOf = (t: number): number => Math.floor((start / 60_000 + t) / 1440);
  const isLong = dayOf(from) !== dayOf(to);
  let day = '';
  for (let t = Math.ceil(from / step) * step; t <= to; t += step) {
    const iso = new Date(start + t * 60_000).toISOString();
    const clock = isLong && iso.slice(5, 10) !== day ? `${iso.slice(5, 10)} ${iso.slice(11, 16)}` : iso.slice(11, 16);
    day = iso.slice(5, 10);
    parts.push(`<line class="grid" x1="${x(t)}" x2="${x(t)}" y1="${TOP - 8}" y2="${height - 12}"/>`);
    parts.push(`<text class="soft" x="${x(t)}" y="${TOP - 14}" text-anchor="middle">${clock}</text>`);
  }
  return parts;
}

function drawLine(
  { id, bars, reveals, label: text = id }: ActionLine,
  y: number,
  from: number,
  to: number,
  x: (t: number) => number,
): string {
  const label = text.length > 24 ? `${text.slice(0, 23)}…` : text;
  const shown = bars.filter((bar) => bar.to >= from && bar.from <= to);
  const diamonds = reveals
    .filter((t) => t >= from && t <= to)
    .map((t) => `<path class="reveal" d="M${x(t)} ${y + 2}l6 6-6 6-6-6z"><title>visible at ${t}</title></path>`);
  return `<text x="12" y="${y + 13}">${xmlText(label)}</text>${shown.map(draw).join('')}${diamonds.join('')}`;

  function draw(bar: Bar): string {
    const [left, right] = [x(Math.max(bar.from, from)), x(Math.min(bar.to, to))];
    const thin = bar.kind === 'run' || bar.kind === 'down' ? { top: y + 2, height: 14 } : { top: y + 6, height: 6 };
    const box = `x="${left}" y="${thin.top}" width="${Math.max(1, round(right - left))}" height="${thin.height}" rx="2"`;
    const arrow = bar.open && bar.kind === 'run' ? `<path class="open" d="M${right} ${y}l9 9-9 9z"/>` : '';
    return `<rect class="${bar.kind}" ${box}><title>${xmlText(bar.of ?? label)} ${bar.kind} ${bar.from} to ${bar.to}</title></rect>${arrow}`;
  }
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
