import { readFile } from 'node:fs/promises';
import {
  AggregationTemporality,
  type Histogram,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { expect, test } from 'vitest';
import { metricsText } from '../../src/admin/metrics-text.js';
import { createRunStatistics } from '../../src/engine/node/run-statistics.js';
import { findInternals } from '../../src/engine/ring-internals.js';
import { reportMetrics } from '../../src/opentelemetry.js';
import { createRingStage, EVERY_SECOND, type RingStage } from '../support/ring-stage.js';

const textOf = ({ ring }: RingStage) => metricsText(ring.metrics(), findInternals(ring)!.node.statistics);

/** The value of a series. */
function value(text: string, series: string): number {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `));
  return line === undefined ? 0 : Number(line.slice(series.length + 1));
}

test('horae_ring_runs_total counts runs by job, group and state, the job by its key or name', async () => {
  await using stage = await createRingStage();
  await stage.executor({
    good: () => {},
    bad: () => {
      throw new Error('no');
    },
  });
  await stage.job({ name: 'good', key: 'the "good" one', schedule: EVERY_SECOND, start: true });
  const bad = await stage.job({ name: 'bad' });
  await stage.ring.jobs.trigger(bad.id);
  await stage.clock.advanceBy(3_000);
  const text = textOf(stage);
  expect(value(text, 'horae_ring_runs_total{job="the \\"good\\" one",group="default",state="succeeded"}')).toBe(3);
  expect(value(text, 'horae_ring_runs_total{job="bad",group="default",state="failed"}')).toBe(1);
});

test('histograms of lateness, waiting and duration are in seconds, by group', async () => {
  await using stage = await createRingStage();
  const { clock } = stage;
  await stage.executor({ work: () => clock.sleepFor(2_000) });
  const job = await stage.job({});
  await stage.ring.jobs.trigger(job.id, { delayMs: 1_000 });
  await stage.ring.jobs.trigger(job.id);
  await clock.advanceBy(8_000);
  const text = textOf(stage);
  for (const [kind, count, sum] of [
    ['duration', 2, 4],
    ['lateness', 1, 1],
    ['waiting', 2, 1],
  ] as const) {
    const name = `horae_ring_run_${kind}_seconds`;
    expect(text).toContain(`# TYPE ${name} histogram`);
    expect(value(text, `${name}_count{group="default"}`)).toBe(count);
    expect(value(text, `${name}_sum{group="default"}`)).toBe(sum);
    expect(value(text, `${name}_bucket{group="default",le="+Inf"}`)).toBe(count);
  }
  expect(value(text, 'horae_ring_run_duration_seconds_bucket{group="default",le="1"}')).toBe(0);
  expect(value(text, 'horae_ring_run_duration_seconds_bucket{group="default",le="2.5"}')).toBe(2);
});

test('horae_ring_runs_waiting is what waits now, by group and reason', async () => {
  await using stage = await createRingStage();
  const job = await stage.job({ executorGroup: 'nobody' });
  await stage.ring.jobs.trigger(job.id);
  await stage.clock.advanceBy(2_000);
  expect(value(textOf(stage), 'horae_ring_runs_waiting{group="nobody",reason="executor"}')).toBe(1);
  await stage.ring.runs.cancel(1);
  await stage.clock.advanceBy(2_000);
  expect(textOf(stage)).not.toContain('horae_ring_runs_waiting{');
});

test('the first metricJobs jobs by name have series of their own, the rest are _other', () => {
  const statistics = createRunStatistics(2);
  const ended = { startedAt: null } as never;
  for (const [id, name] of ['d', 'b', 'c', 'a', 'b'].entries()) {
    const job = { id: id + 1, key: null, name, executorGroup: 'default' } as never;
    statistics.ended(job, ended, { state: 'succeeded', endedAt: 0 });
  }
  const counts = statistics.runs().map(({ job, count }) => [job, count]);
  expect(Object.fromEntries(counts)).toEqual({ a: 1, b: 2, _other: 2 });
});

test('OpenTelemetry gets the same numbers', async () => {
  await using stage = await createRingStage();
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
  const provider = new MeterProvider({ readers: [reader] });
  const end = reportMetrics(stage.ring, provider.getMeter('test'));
  await stage.executor({ work: () => stage.clock.sleepFor(2_000) });
  const job = await stage.job({ key: 'k' });
  const lonely = await stage.job({ name: 'lonely', executorGroup: 'nobody' });
  await stage.ring.jobs.trigger(job.id, { delayMs: 1_000 });
  await stage.ring.jobs.trigger(lonely.id);
  await stage.clock.advanceBy(4_000);
  await provider.forceFlush();
  const metrics = exporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
  const points = (name: string) => metrics.find(({ descriptor }) => descriptor.name === name)!.dataPoints;
  expect(points('horae.ring.runs')).toMatchObject([
    { attributes: { job: 'k', group: 'default', state: 'succeeded' }, value: 1 },
  ]);
  expect(points('horae.ring.runs.waiting')).toMatchObject([
    { attributes: { group: 'nobody', reason: 'executor' }, value: 1 },
  ]);
  for (const [kind, sum] of [
    ['lateness', 0],
    ['waiting', 0],
    ['duration', 2],
  ] as const) {
    const [point] = points(`horae.ring.run.${kind}`);
    expect(point!.attributes).toEqual({ group: 'default' });
    expect((point!.value as Histogram).sum).toBe(sum);
  }
  end();
  await provider.shutdown();
});

test('every query of the Grafana dashboard names metrics that a node has', async () => {
  await using stage = await createRingStage();
  const types = new Map([...textOf(stage).matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name, type]) => [name!, type!]));
  const series = new Set(
    [...types].flatMap(([name, type]) =>
      type === 'histogram' ? ['bucket', 'sum', 'count'].map((part) => `${name}_${part}`) : [name],
    ),
  );
  const path = new URL('../../../../docs/time-ring-dashboard.json', import.meta.url);
  const dashboard = JSON.parse(await readFile(path, 'utf8')) as { panels: { targets: { expr: string }[] }[] };
  const expressions = dashboard.panels.flatMap(({ targets }) => targets.map(({ expr }) => expr));
  expect(expressions.length).toBeGreaterThan(10);
  for (const expression of expressions) {
    const named = expression.match(/horae_\w+/g) ?? [];
    expect(named.length, expression).toBeGreaterThan(0);
    for (const name of named) expect(series, expression).toContain(name);
  }
});
