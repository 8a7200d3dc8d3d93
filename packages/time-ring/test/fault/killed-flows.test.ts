import { seededRandom } from '@horae/clock-store';
import { describe, expect, onTestFinished, test } from 'vitest';
import { connectTimeRing, type Flow, type FlowInput, type RingClient, type Run } from '../../src/index.js';
import { faultDatabases, writeJobs } from '../support/fault-databases.js';
import { clock, type NodeProcess, startNodeProcess } from '../support/node-process.js';

/** `HORAE_CRASH_MINUTES=5` kills for so long on each database, in both claim modes. */
const minutes = process.env.HORAE_CRASH_MINUTES;
const CRASH_MS = minutes === undefined ? 6_000 : Number(minutes) * 60_000;
const NODES = 3;
const LIST = Array.from({ length: 5 }, (_, i) => `item ${i}`);
/** Leases of killed nodes run out one after the other, on a machine that is busy with other tests. */
const PATIENCE_MS = 60_000;

type Steps = FlowInput['steps'];

const diamond: Steps = {
  read: { job: 'step' },
  left: { job: 'step', after: ['read'], params: { from: 'read' } },
  right: { job: 'step', after: ['read'], params: { from: 'read' } },
  join: { job: 'step', after: ['left', 'right'], params: { from: ['left', 'right'] } },
};
const failureBranch: Steps = {
  read: { job: 'step' },
  load: { job: 'refuse', after: ['read'], params: { from: 'read' } },
  report: { job: 'step', after: ['load'] },
  clean: { job: 'step', after: ['load'], when: 'failed', params: { from: ['read', 'load'] } },
  close: { job: 'step', after: ['report', 'clean'], when: 'over', params: { from: ['report', 'clean'] } },
};
const map: Steps = {
  ...Object.fromEntries(LIST.map((item) => [item, { job: 'step', params: { item } }])),
  sum: { job: 'step', after: LIST, params: { from: LIST } },
};
const shapes = { diamond, 'failure branch': failureBranch, map };

/** What a shape must have become: the state of each step, and what it was handed. */
function expectedOf(name: keyof typeof shapes, { steps }: Flow) {
  const given = (step: string) => (steps[step]!.state === 'succeeded' ? steps[step]!.runId : null);
  return Object.entries(shapes[name]).map(([step, { job, params }]) => {
    const { from } = (params ?? {}) as { from?: string | string[] };
    const handed = Array.isArray(from)
      ? Object.fromEntries(from.map((each) => [each, given(each)]))
      : given(from ?? step);
    return {
      step,
      state: step === 'report' ? 'skipped' : job === 'refuse' ? 'failed' : 'succeeded',
      params: step === 'report' ? undefined : from === undefined ? (params ?? null) : { from: handed },
    };
  });
}

/** Every run of the ring, with its params. */
async function allRuns(client: RingClient): Promise<ReadonlyMap<number, Run>> {
  const runs = new Map<number, Run>();
  for (let cursor: string | null = null; ; ) {
    const page: Awaited<ReturnType<RingClient['runs']['list']>> = await client.runs.list({
      ...{ limit: 1_000, include: ['params', 'result'] },
      ...(cursor === null ? {} : { cursor }),
    });
    for (const run of page.runs) runs.set(run.id, run);
    if (page.cursor === null) return runs;
    cursor = page.cursor;
  }
}

describe.each(faultDatabases)('three nodes on $name, killed while flows are under way', ({ open }) => {
  test.for(minutes === undefined ? ['lock-row'] : ['lock-row', 'buckets'])(
    '%s: every step is completed once, with the results of the steps before it',
    { timeout: CRASH_MS + 3 * PATIENCE_MS },
    async (claim, context) => {
      const database = await open();
      if (database === 'unavailable') {
        context.skip('MariaDB is not installed here; HORAE_REQUIRE_MARIADB=1 makes this a failure');
        return;
      }
      const job = { schedule: { kind: 'none' }, block: 'CONCURRENT', concurrency: 50, retries: 0 } as const;
      await writeJobs(
        database,
        ['step', 'refuse'].map((key) => ({ key, name: key, handler: key, ...job })),
      );
      const client = await connectTimeRing({ database });
      onTestFinished(() => client.close());
      const all: NodeProcess[] = [];
      const start = () => {
        const node = startNodeProcess({ database, claim, nodeId: `node-${all.length + 1}` });
        all.push(node);
        return node;
      };
      const alive = Array.from({ length: NODES }, start);
      await Promise.all(alive.map((node) => node.until(({ event }) => event === 'ready')));
      const random = seededRandom(`${claim} ${CRASH_MS}`);
      const started: { name: keyof typeof shapes; id: number }[] = [];
      for (const began = clock.monotonicMs(); clock.monotonicMs() - began < CRASH_MS; ) {
        for (const [name, steps] of Object.entries(shapes)) {
          started.push({ name: name as keyof typeof shapes, id: (await client.flows.start({ name, steps })).id });
        }
        await clock.sleepFor(random.below(300));
        if (random.below(4) > 0) continue;
        await alive.splice(random.below(NODES), 1)[0]!.kill();
        alive.push(start());
      }
      const flows = new Map<number, Flow>();
      for (const { id } of started) flows.set(id, await client.flows.wait(id, { timeoutMs: PATIENCE_MS }));
      // Killed before the rows are read: what a node tells after the reading would not be in them.
      await Promise.all(alive.map((node) => node.kill()));
      const runs = await allRuns(client);
      console.info(`${claim}: ${all.length - NODES} kills, ${flows.size} flows, ${runs.size} runs`);

      const seen = new Set<number>();
      for (const { name, id } of started) {
        const flow = flows.get(id)!;
        expect(flow.state).toBe(name === 'failure branch' ? 'failed' : 'succeeded');
        const became = Object.entries(flow.steps).map(([step, { state, runId }]) => {
          if (runId !== null) seen.add(runId);
          return { step, state, params: runId === null ? undefined : runs.get(runId)!.params };
        });
        expect(became).toEqual(expectedOf(name, flow));
      }
      // No run that is not the one run of a step, each of them over at its first attempt, and told once.
      expect([...runs.keys()].sort((a, b) => a - b)).toEqual([...seen].sort((a, b) => a - b));
      expect([...runs.values()].filter(({ attempt }) => attempt !== 1)).toEqual([]);
      const ends = all.flatMap(({ told }) => told.filter(({ event }) => /^run-(succeeded|failed)$/.test(event)));
      expect(ends.length).toBe(new Set(ends.map(({ runId }) => runId)).size);
      expect(ends.filter(({ runId }) => !seen.has(runId!))).toEqual([]);
      expect(ends.length).toBeGreaterThan(seen.size / 2);
    },
  );
});
