import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@horae/clock-store';
import { startTestPostgres } from '@horae/clock-store/testing';
import { createExecutor, startTimeRing, type TimeRing } from '@horae/time-ring';
import { defineBench } from '@horae-tooling/bench';

const STARTS = 200;
const PAUSE_MS = 7;
const clock = systemClock();

interface Stage {
  readonly asking: TimeRing;
  readonly jobId: number;
  /** When the handler of the run that was asked for last began. */
  begun(): Promise<number>;
  close(): Promise<void>;
}

/** A place for a database, and what takes it away. */
interface Place {
  readonly database: string;
  remove(): Promise<void> | void;
}

function sqliteFile(): Place {
  const folder = mkdtempSync(join(tmpdir(), 'horae-bench-'));
  return {
    database: `sqlite:${join(folder, 'ring.db')}`,
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

async function postgres(): Promise<Place> {
  const server = await startTestPostgres();
  return { database: await server.freshDatabase(), remove: () => server.stop() };
}

/** A node that is asked and one that works: the same one, or two. */
async function open(place: Place, isHandedOver: boolean): Promise<Stage> {
  const { database } = place;
  const asking = await startTimeRing({ database, nodeId: 'asking' });
  const working = isHandedOver ? await startTimeRing({ database, nodeId: 'working' }) : asking;
  let tell: (at: number) => void = () => {};
  await createExecutor({ ring: working, handlers: { work: () => tell(performance.now()) } });
  const { id } = await asking.jobs.add({ name: 'work', handler: 'work', schedule: { kind: 'none' } });
  // Both have made passes, and hear each other.
  await clock.sleepFor(3_000);
  return {
    asking,
    jobId: id,
    begun: () =>
      new Promise((resolve) => {
        tell = resolve;
      }),
    async close() {
      await Promise.all([...new Set([asking, working])].map((ring) => ring.stop({ deadlineMs: 0 })));
      await place.remove();
    },
  };
}

/** How long after the call the handler began, one after the other, with pauses in which nothing happens: the part-th of all, in ms. */
async function latency({ asking, jobId, begun }: Stage, part: number): Promise<number> {
  const took: number[] = [];
  for (let start = 0; start < STARTS; start++) {
    await clock.sleepFor(PAUSE_MS);
    const begins = begun();
    const asked = performance.now();
    await asking.jobs.trigger(jobId);
    took.push((await begins) - asked);
  }
  took.sort((a, b) => a - b);
  return took[Math.ceil(took.length * part) - 1]!;
}

const contender = (place: () => Place | Promise<Place>, isHandedOver: boolean, part: number) => ({
  setup: async () => open(await place(), isHandedOver),
  sample: (stage: Stage) => latency(stage, part),
  teardown: (stage: Stage) => stage.close(),
});

export default [
  defineBench({
    name: 'time-ring/starting/sqlite',
    about: `From trigger to the first line of its handler on an idle node, on a SQLite file; of ${STARTS}, one after the other.`,
    unit: 'ms',
    ours: 'p99',
    contenders: { p99: contender(sqliteFile, false, 0.99), p50: contender(sqliteFile, false, 0.5) },
    wanted: [{ atMost: 4 }],
  }),
  defineBench({
    name: 'time-ring/starting/postgres',
    about: `The same on PostgreSQL.`,
    unit: 'ms',
    ours: 'p99',
    contenders: { p99: contender(postgres, false, 0.99), p50: contender(postgres, false, 0.5) },
    wanted: [{ atMost: 4 }],
  }),
  defineBench({
    name: 'time-ring/starting/handover',
    about: `From trigger on one node to the first line of the handler on another, both idle, on PostgreSQL.`,
    unit: 'ms',
    ours: 'p99',
    contenders: { p99: contender(postgres, true, 0.99), p50: contender(postgres, true, 0.5) },
    wanted: [{ atMost: 10 }],
  }),
];
