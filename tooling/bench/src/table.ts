import { type BenchReport, type Row, short } from './verdict.js';

/** The report as text: one line per contender, ratios as "how many times our time". */
export function renderTable(bench: BenchReport): string {
  const head = ['', `median ${bench.unit}`, 'spread', 'ratio to ours', '95 % interval'];
  const body = bench.rows.map((row) => cells(row));
  const widths = head.map((title, column) => Math.max(title.length, ...body.map((line) => line[column]!.length)));
  const line = (columns: readonly string[]) =>
    columns.map((text, i) => (i === 0 ? text.padEnd(widths[i]!) : text.padStart(widths[i]!))).join('  ');
  const marks = { reached: 'reached', missed: 'MISSED', unclear: 'unclear: within the spread' };
  return [
    `\n${bench.name}`,
    ...(bench.about ? [`  ${bench.about}`] : []),
    ...[head, ...body].map((columns) => `  ${line(columns)}`),
    ...bench.wanted.map((want) => `  wanted ${want.text}: ${marks[want.outcome]}`),
  ].join('\n');
}

/** A contender's line: name, median, spread, ratio and interval. */
export function cells({ contender, summary, ratio }: Row): string[] {
  const spread = `±${(summary.spread * 50).toFixed(1)} %`;
  if (ratio === undefined) return [contender, short(summary.median), spread, '1', ''];
  const interval = `${short(ratio.low)} to ${short(ratio.high)}`;
  // A single number would claim more than the rounds show.
  const quoted = ratio.quotable ? `${short(ratio.median)}x` : 'hidden by spread';
  return [contender, short(summary.median), spread, quoted, interval];
}

/** The medians of `now` compared with those of an earlier saved run, for benches that both hold. */
export function renderComparison(now: readonly BenchReport[], before: readonly BenchReport[]): string {
  const lines = now.flatMap((bench) => {
    const earlier = before.find((other) => other.name === bench.name);
    if (earlier === undefined) return [];
    return bench.rows.flatMap(({ contender, summary }) => {
      const old = earlier.rows.find((row) => row.contender === contender);
      if (old === undefined) return [];
      const overlap = summary.low <= old.summary.high && old.summary.low <= summary.high;
      const change = overlap ? 'no difference seen' : `${short(old.summary.median / summary.median)}x as fast`;
      return [
        `  ${bench.name}  ${contender}: ${short(old.summary.median)} -> ${short(summary.median)} ${bench.unit}, ${change}`,
      ];
    });
  });
  return [
    '\nCompared with the saved run (another moment of the machine: believe ratios within one run first)',
    ...lines,
  ].join('\n');
}
