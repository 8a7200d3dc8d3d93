import type { Wanted } from './bench.js';
import type { Rounds } from './measure.js';
import { type Ratio, ratioOf, type Summary, summarize } from './statistics.js';

export interface Row {
  contender: string;
  summary: Summary;
  /** Absent for our own row. */
  ratio?: Ratio;
}

export interface WantedVerdict {
  text: string;
  outcome: 'reached' | 'missed' | 'unclear';
}

export interface BenchReport {
  name: string;
  about?: string;
  unit: string;
  ours: string;
  rows: Row[];
  wanted: WantedVerdict[];
  rounds: Rounds;
}

/** The figures of one bench; pure, so that a saved run can be judged again. */
export function report(
  bench: { name: string; about?: string; ours: string; unit?: string; wanted?: readonly Wanted[] },
  rounds: Rounds,
): BenchReport {
  const mine = rounds[bench.ours]!;
  const rows = Object.entries(rounds).map(([contender, values]): Row => {
    const summary = summarize(values);
    return contender === bench.ours ? { contender, summary } : { contender, summary, ratio: ratioOf(values, mine) };
  });
  const unit = bench.unit ?? 'ns';
  const wanted = (bench.wanted ?? []).map((want) => judge(want, rows, bench.ours, unit));
  return { name: bench.name, about: bench.about, unit, ours: bench.ours, rows, wanted, rounds };
}

function judge(want: Wanted, rows: readonly Row[], ours: string, unit: string): WantedVerdict {
  if ('atMost' in want) {
    const { low, high, median } = rows.find((row) => row.contender === ours)!.summary;
    const outcome = high <= want.atMost ? 'reached' : low > want.atMost ? 'missed' : 'unclear';
    return { text: `at most ${want.atMost} ${unit} (median ${short(median)})`, outcome };
  }
  const { low, high, median } = rows.find((row) => row.contender === want.against)!.ratio!;
  const outcome = low >= want.ratioAtLeast ? 'reached' : high < want.ratioAtLeast ? 'missed' : 'unclear';
  return {
    text: `${want.ratioAtLeast}x ${want.against} (${short(median)}x, ${short(low)} to ${short(high)})`,
    outcome,
  };
}

/** Three significant digits, thousands separated. */
export function short(value: number): string {
  const digits = value === 0 ? 0 : Math.floor(Math.log10(Math.abs(value)));
  const rounded = digits >= 2 ? Math.round(value) : Number(value.toPrecision(3));
  return rounded.toLocaleString('en-US', { maximumFractionDigits: 20 });
}
