import {
  type Histogram,
  histogramBounds,
  histogramDescriptions,
  histogramKinds,
  type RunStatistics,
} from '../engine/node/run-statistics.js';
import type { RingMetrics } from '../model/events.js';

export const METRICS_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

type Counter = Exclude<keyof RingMetrics, 'ringSize' | 'pools'>;

const counters: Readonly<Record<Counter, string>> = {
  passes: 'Passes of the schedule loop',
  passesFailed: 'Passes that failed',
  claimed: 'Scheduled runs that were written',
  fired: 'Runs handed to an executor',
  misfired: 'Misfires',
  succeeded: 'Runs that succeeded',
  failed: 'Runs that failed',
  killed: 'Runs that were killed',
  retried: 'Retries',
  refused: 'Results that came too late or from the wrong node',
};

/** The metrics of a node in Prometheus' text format, with those of its runs where they are known. */
export function metricsText(metrics: RingMetrics, statistics?: RunStatistics): string {
  const lines: string[] = [];
  const describe = (name: string, type: 'counter' | 'gauge', help: string) =>
    lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`);
  for (const [key, help] of Object.entries(counters)) {
    const name = `horae_ring_${snakeCase(key)}_total`;
    describe(name, 'counter', help);
    lines.push(`${name} ${metrics[key as Counter]}`);
  }
  describe('horae_ring_ring_size', 'gauge', 'Claimed occurrences that wait in the ring for their second');
  lines.push(`horae_ring_ring_size ${metrics.ringSize}`);
  for (const what of ['running', 'queued'] as const) {
    const name = `horae_ring_pool_${what}`;
    describe(name, 'gauge', `Triggers ${what} in a pool`);
    for (const [pool, numbers] of Object.entries(metrics.pools)) lines.push(`${name}{pool="${pool}"} ${numbers[what]}`);
  }
  if (statistics !== undefined) lines.push(...runLines(statistics));
  return `${lines.join('\n')}\n`;
}

function runLines(statistics: RunStatistics): string[] {
  const lines = [
    '# HELP horae_ring_runs_total Runs that are over',
    '# TYPE horae_ring_runs_total counter',
    ...statistics
      .runs()
      .map(({ job, group, state, count }) => `horae_ring_runs_total${labels({ job, group, state })} ${count}`),
    '# HELP horae_ring_runs_waiting Runs of the whole ring that wait',
    '# TYPE horae_ring_runs_waiting gauge',
    ...statistics
      .waiting()
      .map(({ group, reason, count }) => `horae_ring_runs_waiting${labels({ group, reason })} ${count}`),
  ];
  for (const kind of histogramKinds) {
    const name = `horae_ring_run_${kind}_seconds`;
    lines.push(`# HELP ${name} ${histogramDescriptions[kind]}`, `# TYPE ${name} histogram`);
    for (const [group, histogram] of statistics.histograms(kind)) lines.push(...histogramLines(name, group, histogram));
  }
  return lines;
}

function histogramLines(name: string, group: string, { counts, sum, count }: Histogram): string[] {
  let below = 0;
  const buckets = histogramBounds.map((bound, i) => {
    below += counts[i]!;
    return `${name}_bucket${labels({ group, le: String(bound) })} ${below}`;
  });
  return [
    ...buckets,
    `${name}_bucket${labels({ group, le: '+Inf' })} ${count}`,
    `${name}_sum${labels({ group })} ${sum}`,
    `${name}_count${labels({ group })} ${count}`,
  ];
}

function labels(values: Readonly<Record<string, string>>): string {
  const escaped = (text: string) => text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
  return `{${Object.entries(values)
    .map(([name, value]) => `${name}="${escaped(value)}"`)
    .join(',')}}`;
}

function snakeCase(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
