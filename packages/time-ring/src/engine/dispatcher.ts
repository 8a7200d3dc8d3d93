import { chooseExecutor, chooseUnasked, type RouteContext } from '../decide/route.js';
import { createRouteMemory } from '../decide/route-memory.js';
import { uniqueWaves } from '../decide/unique-waves.js';
import { assignmentOf, failure, type Outcome } from '../executor/assignment.js';
import type { RemoteCalls } from '../http/remote-calls.js';
import { publicRun } from '../run.js';
import type { NewRun, RemoteAssignment, RunFire } from '../store/job-store.js';
import { type ActiveRun, newRun, rowOf } from './active-run.js';
import { type BatchWriter, createBatchWriter } from './batch-writer.js';
import type { ExecutorRegistry, LocalExecutor } from './executor-registry.js';
import type { KnownRuns } from './known-runs.js';
import type { Recorder } from './recorder.js';
import type { RingNode } from './ring-node.js';

/** Brings runs to executors. */
export interface Dispatcher {
  /** Never rejects. */
  trigger(run: ActiveRun): Promise<void>;
  /** Resolves when the present burst of triggers is written, or has gone on for long. */
  afterBurst(): Promise<void>;
  /** Resolves when a run that is just being sent to a remote executor has been taken or refused; undefined when none is. */
  sending(runId: number): Promise<void> | undefined;
}

interface Fire {
  readonly fire: RunFire;
  readonly siblings: readonly NewRun[];
}

const MOST_FIRES_A_WRITE = 2_000;
/** So many turns of the microtask queue after one batch of triggers the next one is ready to be written. */
const TURNS_TO_THE_NEXT_BATCH = 25;
const LONGEST_BURST = 20;
const noSiblings: readonly NewRun[] = [];

/** What a dispatcher works with. */
export interface DispatcherParts {
  readonly node: RingNode;
  readonly known: KnownRuns;
  readonly registry: ExecutorRegistry;
  readonly recorder: Recorder;
  readonly calls: RemoteCalls;
  /** How long after its time limit a remote run's result is waited for. */
  readonly resultGraceMs: number;
  enqueue(runs: readonly ActiveRun[]): void;
  /** A write failed, and nobody knows whether it was committed. */
  doubt(): void;
}

export function createDispatcher(parts: DispatcherParts): Dispatcher {
  const { node, known, registry, recorder, calls } = parts;
  const memory = createRouteMemory();
  const sends = new Map<number, Promise<void>>();
  const fires: BatchWriter<Fire, readonly number[] | null> = createBatchWriter(MOST_FIRES_A_WRITE, writeFires);

  const assignments: BatchWriter<RemoteAssignment, boolean> = createBatchWriter(MOST_FIRES_A_WRITE, writeAssignments);

  async function trigger(run: ActiveRun): Promise<void> {
    try {
      await node.step('dispatch');
      // It may have waited for so long that the node has lost it, and perhaps got it back.
      if (known.has(run.row)) await dispatch(run);
    } catch (error) {
      // Whether the row says pending or running is found out at the next second, and the run is given out again.
      node.log.warn({ error, runId: run.row.id }, 'A run could not be handed out and will be tried again');
      known.delete(run.row);
      parts.doubt();
    }
  }

  async function dispatch(run: ActiveRun): Promise<void> {
    const addresses = registry.addresses(run.job.executorGroup);
    const chosen = targetsOf(run, addresses instanceof Promise ? await addresses : addresses);
    const targets = chosen instanceof Promise ? await chosen : chosen;
    const [address] = targets;
    if (address === undefined) {
      end(
        run,
        failure(
          `No executor of the group "${run.job.executorGroup}" can be reached: start one, or look at its breaker`,
        ),
      );
      return;
    }
    const local = registry.local(address);
    if (local !== undefined) await dispatchLocal(run, local, targets.length);
    else {
      const { id } = run.row;
      const sending = dispatchRemote(run, address, targets.length).finally(() => sends.delete(id));
      sends.set(
        id,
        sending.catch(() => {}),
      );
      await sending;
    }
  }

  /** More than one address means that the run is the first shard of a broadcast that has yet to spread. */
  function targetsOf(
    { job, row }: ActiveRun,
    addresses: readonly string[],
  ): readonly string[] | Promise<readonly string[]> {
    if (row.fixedAddress !== null) return [row.fixedAddress];
    if (job.route === 'SHARDING_BROADCAST') {
      const isSpread = row.shardTotal > 1 || row.triggerType === 'retry' || row.firedAt !== null;
      return isSpread && addresses.length > 0 ? [addresses[row.shardIndex % addresses.length]!] : addresses;
    }
    const context: RouteContext = {
      jobId: job.id,
      addresses,
      memory,
      random: node.random,
      beat: async (address) => registry.local(address) !== undefined || calls.beat(address),
      idleBeat: async (address, jobId) =>
        registry.local(address)?.bench.isIdle(jobId) ?? calls.idleBeat(address, jobId),
    };
    return chooseUnasked(job.route, context) ?? chooseExecutor(job.route, context);
  }

  async function dispatchLocal(run: ActiveRun, { bench, address }: LocalExecutor, spread: number): Promise<void> {
    const shardTotal = Math.max(spread, run.row.shardTotal);
    const placement = bench.place(assignmentOf(run.job, run.row, shardTotal));
    if (placement.kind === 'refused' && spread === 1) {
      node.counters.fired += 1;
      end(run, placement.outcome, address);
      return;
    }
    const state = placement.kind === 'running' ? 'running' : 'queued';
    let fired: ActiveRun | null = null;
    try {
      fired = await fire(run, { address, state, shardTotal });
    } finally {
      if (fired === null && placement.kind !== 'refused') placement.cancel();
    }
    if (fired === null) return;
    if (placement.kind === 'refused') end(fired, placement.outcome);
    else {
      placement.begin();
      if (state === 'running') node.emitter.emit('run-started', { run: publicRun(fired.row) });
    }
  }

  async function dispatchRemote(run: ActiveRun, address: string, spread: number): Promise<void> {
    const shardTotal = Math.max(spread, run.row.shardTotal);
    const fired = await fire(run, { address, state: 'running', shardTotal });
    if (fired === null) return;
    const { row, job } = fired;
    const answer = await calls.run(address, assignmentOf(job, row, shardTotal), row.firedAt!);
    if (!answer.ok) {
      end(fired, failure(answer.message));
      return;
    }
    const startedAt = node.time.now();
    const deadlineAt = job.timeoutMs === null ? null : startedAt + job.timeoutMs + parts.resultGraceMs;
    const claim = { id: row.id, owner: row.owner!, fence: row.fence };
    const isAssigned = await assignments.add({ ...claim, startedAt, deadlineAt });
    known.delete(row);
    if (isAssigned) node.emitter.emit('run-started', { run: publicRun({ ...row, startedAt }) });
  }

  /** Writes that the run is handed out; null when it is not this node's to hand out any more. */
  async function fire(
    run: ActiveRun,
    to: { address: string; state: 'queued' | 'running'; shardTotal: number },
  ): Promise<ActiveRun | null> {
    const { row, job } = run;
    const firedAt = node.time.now();
    const startedAt = to.state === 'running' ? firedAt : null;
    const siblings = siblingsOf(run, to.shardTotal, firedAt);
    const ids = await fires.add({
      fire: {
        id: row.id,
        owner: row.owner!,
        fence: row.fence,
        state: to.state,
        address: to.address,
        shardTotal: to.shardTotal,
        firedAt,
        startedAt,
      },
      siblings,
    });
    if (ids === null) {
      known.delete(row);
      return null;
    }
    node.counters.fired += 1;
    const { state, address, shardTotal } = to;
    const fired: ActiveRun = { job, row: { ...row, state, address, shardTotal, firedAt, startedAt } };
    if (siblings.length > 0) parts.enqueue(siblings.map((sibling, i) => ({ job, row: rowOf(sibling, ids[i]!) })));
    return known.set(fired) ? fired : null;
  }

  function siblingsOf({ job, row }: ActiveRun, shardTotal: number, firedAt: number): readonly NewRun[] {
    if (shardTotal === row.shardTotal) return noSiblings;
    return Array.from({ length: shardTotal - 1 }, (_, i) =>
      newRun(job, node.owner, {
        triggerType: row.triggerType,
        scheduleTime: row.scheduleTime,
        params: row.params,
        fireId: row.fireId,
        attempt: row.attempt,
        shardIndex: i + 1,
        shardTotal,
        firedAt,
      }),
    );
  }

  /** The ids of the siblings written, or null when the run was not pending any more. */
  async function writeFires(batch: readonly Fire[]): Promise<readonly (readonly number[] | null)[]> {
    return node.store.transaction(async (trx) => {
      const fired = new Set<Fire>();
      for (const wave of uniqueWaves(batch, ({ fire }) => fire.id)) {
        const ids = await trx.fireRuns(wave.map(({ fire }) => fire));
        for (const each of wave) if (ids.has(each.fire.id)) fired.add(each);
      }
      const spreading = batch.filter((each) => each.siblings.length > 0 && fired.has(each));
      const ids = await trx.insertRuns(spreading.flatMap(({ siblings }) => siblings));
      let used = 0;
      return batch.map((each) => {
        if (!fired.has(each)) return null;
        const own = ids.slice(used, used + each.siblings.length) as number[];
        used += own.length;
        return own;
      });
    });
  }

  /** One commit for all answers that came meanwhile: a commit each would let the disk set the pace. */
  async function writeAssignments(batch: readonly RemoteAssignment[]): Promise<readonly boolean[]> {
    const assigned = await node.store.transaction((trx) => trx.assignRemote(batch));
    return batch.map(({ id }) => assigned.has(id));
  }

  function end(run: ActiveRun, outcome: Outcome, address?: string): void {
    void recorder.end(run, outcome, address === undefined ? {} : { address });
  }

  async function afterBurst(): Promise<void> {
    for (let batch = 0; batch < LONGEST_BURST; batch++) {
      for (let turn = 0; turn < TURNS_TO_THE_NEXT_BATCH; turn++) await null;
      if (!fires.isBusy) return;
      await fires.idle();
    }
  }

  return { trigger, afterBurst, sending: (runId) => sends.get(runId) };
}
