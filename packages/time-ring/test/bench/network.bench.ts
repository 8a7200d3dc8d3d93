import { type ChildProcess, fork } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createExecutor, startTimeRing, type TimeRing } from '@horae/time-ring';
import { defineBench } from '@horae-tooling/bench';

const RUNS = 1_000;
const CROWD = 10_000;
const program = fileURLToPath(new URL('./processes/no-op-executor.mjs', import.meta.url));

interface Stage {
  readonly folder: string;
  readonly ring: TimeRing;
  readonly children: readonly ChildProcess[];
  readonly jobId: number;
}

/** A ring on a SQLite file with so many executors in processes of their own; none means one in this process. */
async function open(executors: number, crowd = 0): Promise<Stage> {
  const folder = mkdtempSync(join(tmpdir(), 'horae-bench-'));
  const ring = await startTimeRing({
    database: `sqlite:${join(folder, 'ring.db')}`,
    http: { port: 0 },
    pools: { fast: { size: 200, queue: RUNS } },
  });
  const children = Array.from({ length: executors }, () => fork(program, [ring.http!.url, 'default']));
  await Promise.all(children.map((child) => new Promise((resolve) => child.once('message', resolve))));
  if (executors === 0) await createExecutor({ ring, handlers: { work: () => {} } });
  while ((await ring.executors.list()).length < Math.max(1, executors))
    await new Promise((resolve) => setTimeout(resolve, 10));
  // Sorted behind those that are there, so that FIRST never comes to them.
  for (let number = 0; number < crowd; number++) {
    await ring.executors.register({ group: 'default', address: `http://crowd.example:${number + 1}` });
  }
  const { id } = await ring.jobs.add({
    ...{
      name: 'no-op',
      handler: 'work',
      schedule: { kind: 'fix-rate', everyMs: 1_000 },
      block: 'CONCURRENT',
      concurrency: RUNS,
    },
    route: crowd > 0 ? 'FIRST' : 'ROUND',
  });
  return { folder, ring, children, jobId: id };
}

async function close({ folder, ring, children }: Stage): Promise<void> {
  for (const child of children) child.disconnect();
  await ring.stop({ deadlineMs: 0 });
  rmSync(folder, { recursive: true, force: true });
}

/** Triggers all runs at once and resolves when the last result is recorded. */
async function triggerAll({ ring, jobId }: Stage): Promise<void> {
  let left = RUNS;
  const done = new Promise<void>((resolve, reject) => {
    const removers = [
      ring.events.on('run-succeeded', () => {
        left -= 1;
        if (left > 0) return;
        for (const remove of removers) remove();
        resolve();
      }),
      ring.events.on('run-failed', ({ run }) => reject(new Error(run.message ?? 'failed'))),
    ];
  });
  await ring.jobs.triggerRange(jobId, { from: 0, to: RUNS * 1_000, limit: RUNS });
  await done;
}

async function elapsed(stage: Stage): Promise<number> {
  const start = process.hrtime.bigint();
  await triggerAll(stage);
  return Number(process.hrtime.bigint() - start) / RUNS;
}

async function processorTime(stage: Stage): Promise<number> {
  const before = process.cpuUsage();
  await triggerAll(stage);
  const { user, system } = process.cpuUsage(before);
  return ((user + system) * 1_000) / RUNS;
}

async function registerAll({ ring }: Stage): Promise<number> {
  const start = process.hrtime.bigint();
  for (let first = 0; first < CROWD; first += 100) {
    await Promise.all(
      Array.from({ length: 100 }, (_, number) =>
        fetch(`${ring.http!.url}/api/registry`, {
          method: 'POST',
          body: JSON.stringify({
            registryGroup: 'EXECUTOR',
            registryKey: 'crowd',
            registryValue: `http://crowd.example:${first + number + 1}`,
          }),
        }).then((answer) => answer.arrayBuffer()),
      ),
    );
  }
  const took = Number(process.hrtime.bigint() - start) / CROWD;
  if ((await ring.executors.list('crowd')).length !== CROWD) throw new Error('Not all are registered');
  return took;
}

const two = { setup: () => open(2), teardown: close };

export default [
  defineBench({
    name: 'time-ring/network',
    about: `One run from trigger to recorded result over loopback HTTP, ${RUNS} at once, on a SQLite file; ns of wall time.`,
    ours: 'one executor process',
    contenders: {
      'one executor process': { setup: () => open(1), sample: elapsed, teardown: close },
      'two executor processes': { ...two, sample: elapsed },
      'executor in the same process': { setup: () => open(0), sample: elapsed, teardown: close },
    },
  }),
  defineBench({
    name: 'time-ring/network-cpu',
    about: 'The same, in ns of processor time of the scheduler alone.',
    ours: 'one executor process',
    contenders: {
      'one executor process': { setup: () => open(1), sample: processorTime, teardown: close },
      'two executor processes': { ...two, sample: processorTime },
    },
  }),
  defineBench({
    name: 'time-ring/network-crowd',
    about: `One run with ${CROWD} executors registered in its group; and one beat over HTTP of ${CROWD} executors.`,
    ours: `run among ${CROWD}`,
    contenders: {
      [`run among ${CROWD}`]: { setup: () => open(1, CROWD), sample: elapsed, teardown: close },
      'run with one': { setup: () => open(1), sample: elapsed, teardown: close },
      'registration or beat': { setup: () => open(0), sample: registerAll, teardown: close },
    },
  }),
];
