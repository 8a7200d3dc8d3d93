import type { Job } from '../../model/job.js';
import type { RunRow, WaitingReason } from '../../model/run.js';
import type { RunEnd } from '../../store/job-store.js';

/** The upper bounds of the histograms, in seconds. */
export const histogramBounds = [
  ...[0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5],
  ...[10, 30, 60, 300, 600, 1_800, 3_600],
] as const;

export const histogramKinds = ['lateness', 'waiting', 'duration'] as const;
export type HistogramKind = (typeof histogramKinds)[number];

/** The description of each histogram. */
export const histogramDescriptions: Readonly<Record<HistogramKind, string>> = {
  lateness: 'How long after its due time a run began',
  waiting: 'How long a run waited after it could have begun',
  duration: 'How long a run took',
};

export const endStates = ['succeeded', 'failed', 'killed', 'skipped'] as const satisfies readonly RunEnd['state'][];

/** Observed values of one group. */
export interface Histogram {
  /** How many values were at most each bound and above the previous one; the last number counts those above all bounds. */
  readonly counts: readonly number[];
  readonly sum: number;
  readonly count: number;
}

/** Statistics of the runs that ended on this node since its start. */
export interface RunStatistics {
  ended(job: Job | null, row: RunRow, end: Pick<RunEnd, 'state' | 'endedAt'>): void;
  setWaiting(waiting: ReturnType<RunStatistics['waiting']>): void;
  /** By job and group; jobs beyond the limit are counted together as `_other`. */
  runs(): readonly { job: string; group: string; state: RunEnd['state']; count: number }[];
  /** The waiting runs of the whole ring, as of the last pass. */
  waiting(): readonly { group: string; reason: WaitingReason; count: number }[];
  histograms(kind: HistogramKind): ReadonlyMap<string, Histogram>;
  /** Calls the listener with every value that enters a histogram, in seconds, until the remover is called. */
  onObserve(listener: ObserveListener): () => void;
}

type ObserveListener = (kind: HistogramKind, group: string, seconds: number) => void;

/** The name for all jobs without a name of their own in the metrics. */
export const OTHER_JOBS = '_other';
/** Jobs beyond this number are not distinguished at all. */
const MAX_JOBS = 100_000;

interface JobCounts {
  readonly label: string;
  readonly group: string;
  readonly counts: number[];
}

export function createRunStatistics(metricJobs: number): RunStatistics {
  const jobs = new Map<number, JobCounts>();
  const others: JobCounts = { label: OTHER_JOBS, group: '', counts: noCounts() };
  const histograms = { lateness: new Map(), waiting: new Map(), duration: new Map() } as const satisfies Record<
    HistogramKind,
    Map<string, MutableHistogram>
  >;
  const listeners = new Set<ObserveListener>();
  let waiting: ReturnType<RunStatistics['waiting']> = [];

  function countsOf(job: Job | null): JobCounts {
    if (job === null) return others;
    const known = jobs.get(job.id);
    const label = job.key ?? job.name;
    if (known !== undefined && known.label === label && known.group === job.executorGroup) return known;
    if (known === undefined && jobs.size >= MAX_JOBS) return others;
    // A renamed job continues under its new name.
    const counts = { label, group: job.executorGroup, counts: known?.counts ?? noCounts() };
    jobs.set(job.id, counts);
    return counts;
  }

  function observe(kind: HistogramKind, group: string, ms: number): void {
    const seconds = Math.max(0, ms) / 1_000;
    const byGroup: Map<string, MutableHistogram> = histograms[kind];
    let histogram = byGroup.get(group);
    if (histogram === undefined) {
      histogram = { counts: new Array(histogramBounds.length + 1).fill(0), sum: 0, count: 0 };
      byGroup.set(group, histogram);
    }
    let at = 0;
    while (at < histogramBounds.length && seconds > histogramBounds[at]!) at++;
    histogram.counts[at]! += 1;
    histogram.sum += seconds;
    histogram.count += 1;
    for (const listener of listeners) listener(kind, group, seconds);
  }

  return {
    ended(job, row, { state, endedAt }) {
      countsOf(job).counts[endStates.indexOf(state)]! += 1;
      const { startedAt } = row;
      if (job === null || startedAt === null) return;
      const dueAt = row.dueAt ?? (row.triggerType === 'schedule' ? row.scheduleTime : null);
      if (dueAt !== null) observe('lateness', job.executorGroup, startedAt - dueAt);
      observe('waiting', job.executorGroup, startedAt - row.readyAt);
      observe('duration', job.executorGroup, endedAt - startedAt);
    },
    setWaiting(counted) {
      waiting = counted;
    },
    runs: () => summed([...jobs.values(), others], metricJobs),
    waiting: () => waiting,
    histograms: (kind) => histograms[kind],
    onObserve(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

interface MutableHistogram extends Histogram {
  readonly counts: number[];
  sum: number;
  count: number;
}

function noCounts(): number[] {
  return endStates.map(() => 0);
}

/** The first `limit` names have series of their own. */
function summed(all: readonly JobCounts[], limit: number) {
  const named = new Set(
    [...new Set(all.map(({ label }) => label))]
      .filter((l) => l !== OTHER_JOBS)
      .sort()
      .slice(0, limit),
  );
  const sums = new Map<string, ReturnType<RunStatistics['runs']>[number]>();
  for (const { label, group, counts } of all) {
    const job = named.has(label) ? label : OTHER_JOBS;
    endStates.forEach((state, i) => {
      if (counts[i] === 0) return;
      const key = JSON.stringify([job, group, state]);
      const count = (sums.get(key)?.count ?? 0) + counts[i]!;
      sums.set(key, { job, group, state, count });
    });
  }
  return [...sums.values()];
}
