import { type Span, SpanStatusCode, type Tracer } from '@opentelemetry/api';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import { expect, onTestFinished, test } from 'vitest';
import { control } from '../../src/index.js';
import { reportMetrics, traceRuns } from '../../src/opentelemetry.js';
import { createWorld, deferred, failing } from '../support/world.js';

const START = '2026-03-01T10:00:30Z';

function recordingLog() {
  const lines: { level: string; facts: Record<string, unknown>; message: string }[] = [];
  const at = (level: string) => (facts: object, message: string) =>
    void lines.push({ level, facts: facts as Record<string, unknown>, message });
  return { lines, log: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') } };
}

test('G1: start, end, failure, retry, orphan, override, forgotten task and role are logged with event and task', async () => {
  const world = createWorld(START);
  const never = new Promise(() => {});
  const first = world.scheduler();
  await first.scheduler.initialize([
    world.task('stuck', '0 * * * *', { work: () => never }),
    world.task('gone', '0 0 1 1 *'),
    world.task('changed', '0 0 1 1 *'),
  ]);
  await first.scheduler.stop({ deadlineMs: 0 });
  const { lines, log } = recordingLog();
  const second = world.scheduler({ log });
  let runs = 0;
  const work = () => {
    if (runs++ === 0) throw new Error('on purpose');
  };
  await second.scheduler.initialize([
    world.task('stuck', '0 * * * *'),
    world.task('changed', '0 0 2 1 *'),
    world.task('flaky', '1 10 * * *', { retryMs: 1_000, work }),
  ]);
  await world.clock.advanceTo('2026-03-01T10:01:01Z');
  await second.scheduler.stop();
  const said = lines
    .filter(({ level }) => level === 'info' || level === 'warn')
    .map(({ level, facts }) =>
      [level, facts.event, facts.taskName, facts.reason ?? facts.role].filter(Boolean).join(' '),
    );
  expect(said).toEqual([
    'info TaskOverridden changed',
    'info TaskForgotten gone',
    'info SchedulerRoleChanged leader',
    'info TaskRunStarted stuck orphan',
    'info TaskRunCompleted stuck',
    'info TaskRunStarted flaky cron',
    'warn TaskRunFailed flaky',
    'info TaskRetryStarted flaky retry',
    'info TaskRunCompleted flaky',
  ]);
  expect(lines.find(({ level }) => level === 'warn')!.facts.err).toMatchObject({ message: 'on purpose' });
});

test('G2: an orphan is logged as the reason of its start', async () => {
  const world = createWorld(START);
  const work = deferred();
  const first = world.scheduler();
  await first.scheduler.initialize([world.task('a', '* * * * *', { work: () => work.promise })]);
  await first.scheduler.stop({ deadlineMs: 0 });
  work.resolve();
  const { lines, log } = recordingLog();
  const second = world.scheduler({ log });
  await second.scheduler.initialize([world.task('a', '* * * * *')]);
  expect(lines.map(({ facts }) => facts)).toContainEqual(
    expect.objectContaining({ event: 'TaskRunStarted', taskName: 'a', reason: 'orphan' }),
  );
  await second.scheduler.stop();
});

test('G3: health is ok only while initialized and while the store works', async () => {
  const world = createWorld(START);
  let isDown = false;
  const store = {
    ...world.store,
    save: async (records: never) => {
      if (isDown) throw new Error('down');
      await world.store.save(records);
    },
  };
  const { scheduler, watch } = world.scheduler({ store });
  const work = deferred();
  expect(watch.health()).toEqual({ ok: false, role: null, tasks: 0, running: 0, storeFailedAt: null });
  await scheduler.initialize([
    world.task('a', '* * * * *', { work: () => work.promise }),
    world.task('b', '* * * * *'),
  ]);
  await world.clock.settle();
  expect(watch.health()).toEqual({ ok: true, role: 'leader', tasks: 2, running: 1, storeFailedAt: null });
  isDown = true;
  await world.clock.advanceBy(31_000);
  expect(watch.health()).toMatchObject({ ok: false, storeFailedAt: Date.parse('2026-03-01T10:01:00Z') });
  isDown = false;
  await world.clock.advanceBy(60_000);
  expect(watch.health()).toMatchObject({ ok: true, storeFailedAt: null });
  work.resolve();
  await scheduler.stop();
  expect(watch.health()).toMatchObject({ ok: false, role: null, running: 0 });
});

test('G4: metrics count starts, ends and retries by task, and show what runs', async () => {
  const exporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter, exportIntervalMillis: 3_600_000 });
  const provider = new MeterProvider({ readers: [reader] });
  onTestFinished(() => provider.shutdown());
  const world = createWorld(START);
  const { scheduler } = world.scheduler();
  const stopReporting = reportMetrics(scheduler, provider.getMeter('test'));
  const work = deferred();
  await scheduler.initialize([
    world.task('long', '* * * * *', { work: () => work.promise }),
    world.task('flaky', '1 10 * * *', { retryMs: 5_000, work: failing() }),
  ]);
  await world.clock.advanceTo('2026-03-01T10:01:05Z');
  await provider.forceFlush();
  const points = () =>
    Object.fromEntries(
      exporter
        .getMetrics()
        .at(-1)!
        .scopeMetrics.flatMap(({ metrics }) => metrics)
        .flatMap(({ descriptor, dataPoints }) =>
          dataPoints.map(({ attributes, value }) => [
            [descriptor.name, attributes.task].filter(Boolean).join(' '),
            typeof value === 'number' ? value : value.count,
          ]),
        ),
    );
  expect(points()).toEqual({
    'horae.tasks.started long': 1,
    'horae.tasks.started flaky': 2,
    'horae.tasks.failed flaky': 2,
    'horae.tasks.retried flaky': 1,
    'horae.tasks.running': 1,
    'horae.tasks.duration flaky': 2,
  });
  work.resolve();
  await scheduler.stop();
  await provider.forceFlush();
  expect(points()).toMatchObject({ 'horae.tasks.completed long': 1, 'horae.tasks.running': 0 });
  stopReporting();
});

function recordingTracer() {
  const spans: Record<string, unknown>[] = [];
  const startSpan = (name: string, options: { attributes: object }) => {
    const seen: Record<string, unknown> = { name, ...options.attributes };
    spans.push(seen);
    return {
      setStatus: (status: unknown) => void Object.assign(seen, { status }),
      recordException: (error: unknown) => void Object.assign(seen, { error }),
      end: () => void Object.assign(seen, { ended: true }),
    } as unknown as Span;
  };
  return { spans, tracer: { startSpan } as unknown as Tracer };
}

test('G5: every run is a span, ended with the run, with its exception when it failed', async () => {
  const { spans, tracer } = recordingTracer();
  const world = createWorld(START);
  const { scheduler } = world.scheduler();
  traceRuns(scheduler, tracer);
  const never = new Promise(() => {});
  await scheduler.initialize([
    world.task('good', '1 10 * * *'),
    world.task('bad', '1 10 * * *', { retryMs: 600_000, work: failing() }),
    world.task('left', '0 0 1 1 *', { work: () => never }),
  ]);
  await control(scheduler).runNow('left');
  await world.clock.advanceTo('2026-03-01T10:01:00Z');
  expect(spans).toEqual([
    { name: 'horae.task.run', 'horae.task.name': 'left', 'horae.task.reason': 'manual', 'horae.task.attempt': 1 },
    {
      name: 'horae.task.run',
      'horae.task.name': 'good',
      'horae.task.reason': 'cron',
      'horae.task.attempt': 1,
      ended: true,
    },
    {
      name: 'horae.task.run',
      'horae.task.name': 'bad',
      'horae.task.reason': 'cron',
      'horae.task.attempt': 1,
      error: new Error('on purpose'),
      status: { code: SpanStatusCode.ERROR, message: 'on purpose' },
      ended: true,
    },
  ]);
  await scheduler.stop({ deadlineMs: 0 });
  expect(spans[0]).toMatchObject({ ended: true });
});
