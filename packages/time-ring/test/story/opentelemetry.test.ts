import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { expect, test } from 'vitest';
import { reportMetrics } from '../../src/opentelemetry.js';
import { createRingStage, EVERY_SECOND } from '../support/ring-stage.js';

test('a meter collects the counters and gauges of a node, until it is told to stop', async () => {
  await using stage = await createRingStage();
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
  const provider = new MeterProvider({ readers: [reader] });
  const end = reportMetrics(stage.ring, provider.getMeter('test'));
  await stage.executor({ work: () => {} });
  await stage.job({ schedule: EVERY_SECOND, start: true });
  await stage.clock.advanceBy(3_000);
  const collect = async () => {
    exporter.reset();
    await provider.forceFlush();
    const metrics = exporter.getMetrics().flatMap(({ scopeMetrics }) => scopeMetrics.flatMap((scope) => scope.metrics));
    return Object.fromEntries(
      metrics.map(({ descriptor, dataPoints }) => [descriptor.name, dataPoints.map(({ value }) => value)]),
    );
  };
  expect(await collect()).toMatchObject({
    'horae.ring.passes': [3],
    'horae.ring.claimed': [8],
    'horae.ring.succeeded': [3],
    'horae.ring.passes_failed': [0],
    'horae.ring.size': [5],
    'horae.ring.pool.running': [0, 0],
  });
  end();
  await stage.clock.advanceBy(2_000);
  expect(stage.ring.metrics().passes).toBe(5);
  expect((await collect())['horae.ring.passes'] ?? [3]).toEqual([3]);
  await provider.shutdown();
});
