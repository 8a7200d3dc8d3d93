import type { Job, Run, TimeRing } from 'horae/ring';
import type { Clock } from 'horae/time';
import type { RingSnapshot } from '../../wire/ring.js';
import type { Note } from '../overview/activity.js';
import { harbourJobs } from './harbour-jobs.js';
import { createHelperNodes, type HelperNodes } from './helper-nodes.js';
import { createLateness, latenessOf } from './lateness.js';
import { jobView, runView } from './ring-views.js';
import { type RunningNode, runNode } from './run-node.js';

export interface RingWatchOptions {
  readonly clock: Clock;
  readonly databaseUrl: string;
  readonly nodeId: string;
  readonly note: Note;
  readonly onChange: () => void;
  /** This process has a node, at the start and after each rest. */
  readonly onNode?: (ring: TimeRing) => void;
}

/** The time ring of the demo: this process's node, its helpers, and what the page sees of them. */
export interface RingWatch {
  /** This process's node; rejects while it rests. */
  ring(): TimeRing;
  node(): RunningNode;
  readonly helpers: HelperNodes;
  snapshot(): Promise<RingSnapshot>;
  /**
   * Stops this node for a while: without another node, runs that are due meanwhile are missed. Never rejects: while the database cannot be
   * used, the node stays down and tries again every second.
   */
  rest(ms: number): Promise<void>;
  stop(): Promise<void>;
}

const EXECUTORS = 3;
const SHOWN_RUNS = 40;
const MAX_JOBS = 200;
const TRY_AGAIN_MS = 1_000;

export async function startRingWatch(options: RingWatchOptions): Promise<RingWatch> {
  const { clock, databaseUrl, nodeId, note, onChange, onNode } = options;
  const lateness = createLateness();
  const names = new Map<number, string>();
  const helpers = createHelperNodes(databaseUrl, (text) => {
    note('ring', text);
    onChange();
  });
  let current = await begin();
  let resting: Promise<void> | null = null;
  const ending = new AbortController();

  async function begin(): Promise<RunningNode> {
    const node = await runNode(databaseUrl, nodeId, EXECUTORS);
    watch(node.ring);
    onNode?.(node.ring);
    return node;
  }

  async function restFor(ms: number): Promise<void> {
    const report = (what: string) => (error: unknown) => note('ring', `${nodeId} ${what}: ${String(error)}`, 'bad');
    await current.stop().catch(report('did not stop in order'));
    await clock.sleepFor(ms, { signal: ending.signal }).catch(() => {});
    while (!ending.signal.aborted) {
      try {
        current = await begin();
        return;
      } catch (error) {
        report('cannot start, and tries again')(error);
        await clock.sleepFor(TRY_AGAIN_MS, { signal: ending.signal }).catch(() => {});
      }
    }
  }

  function watch({ events }: TimeRing): void {
    const name = ({ jobId }: Pick<Run, 'jobId'>) => names.get(jobId) ?? `job ${jobId}`;
    events.on('run-started', ({ run }) => {
      if (run.triggerType === 'schedule' && run.scheduleTime !== null && run.startedAt !== null)
        lateness.add(latenessOf(run.scheduleTime, run.startedAt));
      onChange();
    });
    const ended = (words: string, tone: 'good' | 'bad') => (event: { run: Run }) => {
      note('ring', `${name(event.run)} ${words}${event.run.message === null ? '' : `: ${event.run.message}`}`, tone);
      onChange();
    };
    events.on('run-succeeded', ended('succeeded', 'good'));
    events.on('run-failed', ended('failed', 'bad'));
    events.on('run-killed', ended('was killed', 'bad'));
    events.on('job-misfired', ({ jobId, strategy }) => note('ring', `${name({ jobId })} misfired: ${strategy}`, 'bad'));
    events.on('pass-failed', ({ error }) => note('ring', `a pass failed: ${String(error)}`, 'bad'));
    events.on('pass-completed', onChange);
    const learn = ({ job }: { job: Pick<Job, 'id' | 'name'> }) => void names.set(job.id, job.name);
    events.on('job-added', learn);
    events.on('job-updated', learn);
    events.on('job-removed', ({ jobId }) => void names.delete(jobId));
  }

  const { jobs } = await current.ring.jobs.list({ limit: MAX_JOBS });
  for (const { id, name } of jobs) names.set(id, name);
  if (jobs.length === 0) for (const job of harbourJobs) await current.ring.jobs.add(job);

  return {
    ring: () => current.ring,
    node: () => current,
    helpers,
    async snapshot() {
      const here = {
        name: nodeId,
        pid: process.pid,
        kind: 'here' as const,
        status: resting === null ? 'ok' : 'resting',
      };
      const nodes = [here, ...helpers.list()];
      if (resting !== null) return { ...emptySnapshot(clock.now()), nodes };
      return {
        ...(await readSnapshot(current.ring, clock.now(), nodeId, names)),
        nodes,
        lateness: lateness.histogram(),
      };
    },
    async rest(ms) {
      if (resting !== null) return;
      note('ring', `${nodeId} rests for ${ms / 1000} s`);
      resting = restFor(ms);
      onChange();
      await resting;
      resting = null;
      onChange();
    },
    async stop() {
      ending.abort();
      await resting;
      await Promise.all([current.stop(), helpers.stop()]);
    },
  };
}

type Shown = Omit<RingSnapshot, 'nodes' | 'lateness'>;

async function readSnapshot(
  ring: TimeRing,
  now: number,
  nodeId: string,
  names: ReadonlyMap<number, string>,
): Promise<Shown> {
  const [{ jobs }, { runs }, { runs: pending }, executors] = await Promise.all([
    ring.jobs.list({ limit: MAX_JOBS }),
    ring.runs.list({ limit: SHOWN_RUNS }),
    ring.runs.list({ state: 'pending', limit: 200 }),
    ring.executors.list(),
  ]);
  const nameOf = (id: number) => names.get(id) ?? `job ${id}`;
  const { status, problem } = ring.health();
  const { claimed, fired, succeeded, failed, killed, retried, misfired, pools } = ring.metrics();
  return {
    now,
    status,
    problem,
    jobs: jobs.map(jobView),
    // Runs that are only claimed are shown in the ring.
    runs: runs.filter(({ state }) => state !== 'pending').map((run) => runView(run, nameOf(run.jobId))),
    inRing: pending.flatMap(({ id, jobId, scheduleTime }) =>
      scheduleTime === null ? [] : [{ runId: id, jobName: nameOf(jobId), scheduleTime }],
    ),
    executors: executors.map(({ address }) => ({ address, isOwn: address.startsWith(`${nodeId}/`) })),
    metrics: { claimed, fired, succeeded, failed, killed, retried, misfired },
    pools,
  };
}

function emptySnapshot(now: number): RingSnapshot {
  const idle = { running: 0, queued: 0 };
  return {
    now,
    status: 'stopped',
    problem: null,
    jobs: [],
    runs: [],
    inRing: [],
    executors: [],
    nodes: [],
    metrics: { claimed: 0, fired: 0, succeeded: 0, failed: 0, killed: 0, retried: 0, misfired: 0 },
    pools: { fast: idle, slow: idle },
    lateness: [],
  };
}
