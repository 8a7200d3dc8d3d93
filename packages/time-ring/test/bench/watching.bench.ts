import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createExecutor, type RingOptions, startTimeRing, type TimeRing } from '@horae/time-ring';
import { traceRuns } from '@horae/time-ring/opentelemetry';
import { defineBench } from '@horae-tooling/bench';
import { ProxyTracerProvider } from '@opentelemetry/api';

const RUNS = 5_000;

interface Stage {
  readonly folder: string;
  readonly ring: TimeRing;
  readonly jobId: number;
}

/** A ring on a SQLite file with an executor in the same process. */
async function open(options: Partial<RingOptions>, also: (ring: TimeRing) => void): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'horae-bench-'));
  const pools = { fast: { size: 1_000, queue: RUNS * 2 } };
  const ring = await startTimeRing({ database: `sqlite:${join(folder, 'ring.db')}`, pools, ...options });
  await createExecutor({ ring, handlers: { work: () => {} } });
  also(ring);
  const concurrent = { block: 'CONCURRENT', concurrency: RUNS } as const;
  const { id } = await ring.jobs.add({ name: 'work', handler: 'work', schedule: { kind: 'none' }, ...concurrent });
  return { folder, ring, jobId: id };
}

async function close({ folder, ring }: Stage): Promise<void> {
  await ring.stop({ deadlineMs: 0 });
  rmSync(folder, { recursive: true, force: true });
}

/** From trigger to the last recorded result, in nanoseconds of processor time per run, which other programs on the machine change least. */
async function triggerAll({ ring, jobId }: Stage): Promise<number> {
  const wanted = ring.metrics().succeeded + RUNS;
  const before = process.cpuUsage();
  await ring.jobs.triggerMany(
    jobId,
    Array.from({ length: RUNS }, () => ({})),
  );
  while (ring.metrics().succeeded < wanted) await new Promise((resolve) => setTimeout(resolve, 2));
  const { user, system } = process.cpuUsage(before);
  return ((user + system) * 1_000) / RUNS;
}

const contender = (options: Partial<RingOptions>, also: (ring: TimeRing) => void = () => {}) => ({
  setup: () => open(options, also),
  sample: triggerAll,
  teardown: close,
});

/** Everything that can be told is wanted by somebody, and nothing of it happens. */
const alerts: Partial<RingOptions> = {
  channels: { ops: { kind: 'function', send: () => {} } },
  alerts: [
    { on: 'fire-failed', channel: 'ops' },
    { on: 'misfire', channel: 'ops' },
    { on: 'node-lost', channel: 'ops' },
  ],
};

export default [
  defineBench({
    name: 'time-ring/watching',
    about: `${RUNS} no-op runs on a SQLite file from trigger to recorded result, in ns of processor time, with what can be watched set up and nobody watching; below with somebody.`,
    ours: 'alerts set up, nothing to tell',
    contenders: {
      'alerts set up, nothing to tell': contender(alerts),
      'nothing set up': contender({}),
      'a listener that has left': contender({}, (ring) => ring.events.onAll(() => {})()),
      'traces without a collector': contender({}, (ring) => {
        traceRuns(ring, new ProxyTracerProvider().getTracer('bench'));
      }),
      'a listener to all nodes, alone': contender({}, (ring) => {
        ring.events.onAll(() => {});
      }),
    },
    wanted: [{ against: 'nothing set up', ratioAtLeast: 0.95 }],
  }),
];
