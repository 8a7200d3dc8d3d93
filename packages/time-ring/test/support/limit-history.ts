import { type Random, seededRandom } from '@horae/clock-store';
import { createExecutor, type RunContext, type TimeRing } from '../../src/index.js';
import { createStage, START } from './ring-stage.js';

/** What happened in a history of declared and limited jobs, in order. */
export type LimitEvent =
  | { readonly kind: 'start' | 'end'; readonly at: number; readonly job: string; readonly run: RunContext }
  | { readonly kind: 'paused' | 'resuming'; readonly at: number };

export const MAX_RUNNING = 2;
export const DELAY_MS = 2_000;
const ONCE_AT = START + 7_000;

const declared = [
  { key: 'limited', schedule: { kind: 'fix-rate', everyMs: 700 }, maxRunning: MAX_RUNNING },
  { key: 'delayed', schedule: { kind: 'fix-delay', everyMs: DELAY_MS } },
  { key: 'once', schedule: { kind: 'once', at: ONCE_AT } },
] as const;

/** Lets several nodes declare the same jobs again and again, pause and resume their group, and come and go. */
export async function runLimitHistory(
  seed: string,
): Promise<{ events: LimitEvent[]; jobs: number; onceFires: number }> {
  await using stage = await createStage();
  const random = seededRandom(seed);
  const events: LimitEvent[] = [];
  const names = new Map<number, string>();
  const nodes: TimeRing[] = [];
  const handler = async (run: RunContext) => {
    const job = names.get(run.jobId)!;
    events.push({ kind: 'start', at: stage.clock.now(), job, run });
    await stage.clock.sleepFor(100 + random.below(2_901), { signal: run.signal }).catch(() => {});
    events.push({ kind: 'end', at: stage.clock.now(), job, run });
  };
  const join = async () => {
    const ring = await stage.node({ leaseMs: 3_000 });
    await createExecutor({ ring, handlers: { work: handler } });
    nodes.push(ring);
  };
  await join();
  await join();
  const declare = (ring: TimeRing) =>
    Promise.all(
      declared.map(async (job) => {
        const put = await ring.jobs.put({
          name: job.key,
          handler: 'work',
          block: 'CONCURRENT',
          concurrency: 50,
          ...job,
        });
        names.set(put.job.id, job.key);
      }),
    );
  await Promise.all(nodes.map(declare));
  for (let step = 0; step < 14; step++) {
    await act(random, { nodes, declare, join, events, now: () => stage.clock.now() });
    await stage.clock.advanceBy(300 + random.below(1_701));
  }
  events.push({ kind: 'resuming', at: stage.clock.now() });
  await nodes[0]!.groups.resume('default');
  await stage.clock.advanceBy(12_000);
  const { runs } = await nodes[0]!.runs.list({ jobId: 'once', limit: 100 });
  const { jobs } = await nodes[0]!.jobs.list();
  return { events, jobs: jobs.length, onceFires: new Set(runs.map(({ fireId }) => fireId)).size };
}

async function act(
  random: Random,
  world: {
    nodes: TimeRing[];
    declare(ring: TimeRing): Promise<unknown>;
    join(): Promise<void>;
    events: LimitEvent[];
    now(): number;
  },
): Promise<void> {
  const { nodes, declare, join, events, now } = world;
  const ring = nodes[random.below(nodes.length)]!;
  const what = random.below(10);
  if (what <= 2) await Promise.all(nodes.map(declare));
  else if (what <= 5) await ring.jobs.trigger('limited');
  else if (what === 6) {
    await ring.groups.pause('default');
    events.push({ kind: 'paused', at: now() });
  } else if (what === 7) {
    events.push({ kind: 'resuming', at: now() });
    await ring.groups.resume('default');
  } else if (what === 8 && nodes.length > 1) {
    nodes.splice(nodes.indexOf(ring), 1);
    await ring.stop({ deadlineMs: 0 });
  } else await join();
}

/** What of the promises about limits, pauses and delays such a history breaks. */
export function checkLimits(events: readonly LimitEvent[]): string[] {
  const breaches: string[] = [];
  const open = new Map<string, Set<number>>();
  const lastEnd = new Map<string, number>();
  let isPaused = false;
  for (const event of events) {
    if (!('job' in event)) isPaused = event.kind === 'paused';
    else {
      const { job, run, at, kind } = event;
      const running = open.get(job) ?? new Set<number>();
      open.set(job, running);
      if (kind === 'end') {
        running.delete(run.runId);
        lastEnd.set(job, at);
        continue;
      }
      if (isPaused) breaches.push(`run ${run.runId} of ${job} began at ${at} in a paused group`);
      running.add(run.runId);
      if (job === 'limited' && running.size > MAX_RUNNING) breaches.push(`${running.size} runs of ${job} at ${at}`);
      const isNext = job === 'delayed' && run.attempt === 1 && lastEnd.has(job);
      if (isNext && running.size > 1) breaches.push(`${job} overlaps at ${at}`);
    }
  }
  return breaches;
}
