/** The languages of expressions, wherever the demo takes one. */
export const cronDialects = ['posix', 'vixie', 'quartz'] as const;
export type CronDialectName = (typeof cronDialects)[number];

export interface CronFaultView {
  readonly message: string;
  readonly field: string;
  /** Counted from 1. */
  readonly column: number;
  readonly length: number;
  readonly suggestion: string | null;
}

/** A local day on which the clock is changed, and what the expression does on it. */
export interface ClockChangeDay {
  readonly date: string;
  readonly kind: 'skipped' | 'repeated';
  readonly change: string;
  readonly runs: readonly string[];
  readonly usual: number;
}

export interface CronAnalysis {
  readonly ok: true;
  readonly canonical: string;
  readonly words: string;
  readonly next: readonly number[];
  readonly previous: readonly number[];
  readonly year: number;
  /** Runs of each day of the year, beginning with 1 January. */
  readonly perDay: readonly number[];
  /** Weekday of 1 January, Monday is 0. */
  readonly firstWeekday: number;
  /** Monday to Sunday, each with its 24 hours: runs in the whole year. */
  readonly perHour: readonly (readonly number[])[];
  readonly changes: readonly ClockChangeDay[];
  readonly lints: readonly { readonly severity: 'info' | 'warning'; readonly message: string }[];
  readonly overlap: { readonly count: number; readonly first: number | null } | null;
  /** The fault of the second expression, if any. */
  readonly secondFault: CronFaultView | null;
}

export interface CronRefusal {
  readonly ok: false;
  readonly fault: CronFaultView;
}
