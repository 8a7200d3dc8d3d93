import type { Meter, ObservableResult } from '@opentelemetry/api';
import {
  histogramBounds,
  histogramDescriptions,
  histogramKinds,
  type RunStatistics,
} from './engine/node/run-statistics.js';
import { findInternals } from './engine/ring-internals.js';
import type { RingMetrics } from './model/events.js';
import type { TimeRing } from './model/interface.js';

/** The counters of a node, with their descriptions. */
const counters = {
  passes: 'Passes that claimed what was due',
  passesFailed: 'Passes that failed',
  claimed: 'Scheduled runs written',
  fired: 'Runs handed to an executor',
  misfired: 'Misfires told',
  succeeded: 'Runs that succeeded',
  failed: 'Runs that failed',
  killed: 'Runs that were killed',
  retried: 'Retries written',
  refused: 'Results that were refused',
} as const satisfies Partial<Record<keyof RingMetrics, string>>;

/**
 * Reports the metrics of a node to an OpenTelemetry meter whenever it collects: counters `horae.ring.claimed` and so on, the gauges
 * `horae.ring.size`, `horae.ring.pool.running` and `horae.ring.pool.queued` with the attribute `pool`; for the runs of a node from
 * `startTimeRing` also `horae.ring.runs` (job, group, state), `horae.ring.runs.waiting` (group, reason) and the histograms
 * `horae.ring.run.lateness`, `.waiting` and `.duration` (group, in seconds). Returns the function that ends the reporting.
 */
export function reportMetrics(ring: { metrics(): RingMetrics }, meter: Meter): () => void {
  const removers = Object.entries(counters).map(([name, description]) => {
    const counter = meter.createObservableCounter(`horae.ring.${dotted(name)}`, { description });
    const observe = (result: ObservableResult) => result.observe(ring.metrics()[name as keyof typeof counters]);
    counter.addCallback(observe);
    return () => counter.removeCallback(observe);
  });
  const size = meter.createObservableGauge('horae.ring.size', { description: 'Runs that wait in the ring' });
  const observeSize = (result: ObservableResult) => result.observe(ring.metrics().ringSize);
  size.addCallback(observeSize);
  const pools = (['running', 'queued'] as const).map((what) => {
    const gauge = meter.createObservableGauge(`horae.ring.pool.${what}`, { description: `Triggers that are ${what}` });
    const observe = (result: ObservableResult) => {
      const { fast, slow } = ring.metrics().pools;
      result.observe(fast[what], { pool: 'fast' });
      result.observe(slow[what], { pool: 'slow' });
    };
    gauge.addCallback(observe);
    return () => gauge.removeCallback(observe);
  });
  const statistics = findInternals(ring as TimeRing)?.node.statistics;
  if (statistics !== undefined) removers.push(...reportRuns(statistics, meter));
  return () => {
    for (const remove of [...removers, () => size.removeCallback(observeSize), ...pools]) remove();
  };
}

function reportRuns(statistics: RunStatistics, meter: Meter): (() => void)[] {
  const runs = meter.createObservableCounter('horae.ring.runs', { description: 'Runs that are over' });
  const observeRuns = (result: ObservableResult) => {
    for (const { count, ...attributes } of statistics.runs()) result.observe(count, attributes);
  };
  runs.addCallback(observeRuns);
  const waiting = meter.createObservableGauge('horae.ring.runs.waiting', { description: 'Runs that wait' });
  const observeWaiting = (result: ObservableResult) => {
    for (const { count, ...attributes } of statistics.waiting()) result.observe(count, attributes);
  };
  waiting.addCallback(observeWaiting);
  const advice = { explicitBucketBoundaries: [...histogramBounds] };
  const histograms = Object.fromEntries(
    histogramKinds.map((kind) => [
      kind,
      meter.createHistogram(`horae.ring.run.${kind}`, { description: histogramDescriptions[kind], unit: 's', advice }),
    ]),
  );
  return [
    () => runs.removeCallback(observeRuns),
    () => waiting.removeCallback(observeWaiting),
    statistics.onObserve((kind, group, seconds) => histograms[kind]!.record(seconds, { group })),
  ];
}

function dotted(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

export { traceRuns } from './trace-runs.js';
