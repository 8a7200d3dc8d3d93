import type { WaitingReason } from '../../model/run.js';
import type { ActiveRun } from '../node/active-run.js';
import { createBatches, oneTurn } from '../node/batches.js';
import type { OwnedRuns } from '../node/owned-runs.js';
import type { RingNode } from '../node/ring-node.js';
import { reportStart } from '../node/run-events.js';
import type { RunIntake } from './intake.js';
import type { Dispatch, PlacedRun, PlaceRun } from './place-run.js';
import type { ExecutorRegistry } from './registry.js';
import type { Route, RunRouter } from './router.js';
import type { RemoteSender } from './sender.js';
import type { WaitingRuns } from './waiting-runs.js';
import { noteFired, type Written, writeDispatches } from './write-dispatch.js';

/** Dispatches runs to executors. */
export interface Dispatcher {
  /** `done` is called once, when the run no longer needs its place in the pool. Runs of the same burst are written together. */
  trigger(run: ActiveRun, done: () => void): void;
  /** How many runs have left the pool and are not yet written. */
  readonly unwritten: number;
  /** Sets the listener that is called when a batch is written, or will not be. */
  onWritten(listener: () => void): void;
  /** Resolves when the triggers that are ready now are written. */
  afterBatch(): Promise<void>;
}

/** The parts that a dispatcher works with. */
export interface DispatcherParts {
  readonly node: RingNode;
  readonly owned: OwnedRuns;
  readonly registry: ExecutorRegistry;
  readonly waiting: WaitingRuns;
  readonly route: RunRouter;
  readonly place: PlaceRun;
  readonly sender: RemoteSender;
  readonly intake: RunIntake;
}

interface Trigger {
  readonly run: ActiveRun;
  /** Null while it has not been chosen. */
  readonly route: Route | null;
  readonly done: () => void;
}

const MAX_TRIGGERS_PER_WRITE = 1_000;
/** While a server writes one batch, the next is prepared. */
const MAX_WRITES = 2;

/**
 * Triggers are handled in batches from end to end: if a thousand jobs of one second each waited for promises of their own, the last would
 * start tens of milliseconds later.
 */
export function createDispatcher(parts: DispatcherParts): Dispatcher {
  const { node, owned, waiting, route, place } = parts;
  let unwritten = 0;
  let onWritten: () => void = () => {};
  const writes = new Set<Promise<void>>();
  // A place in a pool that becomes free meanwhile brings the next trigger into the same batch. A pause between two batches lets fast
  // handlers return: a burst must not find its executor full because of its own beginning.
  const batches = createBatches<Trigger>(
    MAX_TRIGGERS_PER_WRITE,
    async (triggers) => {
      const decided: Dispatch[] = [];
      for (const each of triggers) take(each, decided);
      if (decided.length === 0) return;
      unwritten += decided.length;
      const others = decided.some(needsItsTurn) ? 0 : MAX_WRITES - 1;
      while (writes.size > others) await Promise.race(writes);
      const write = dispatch(parts, decided).then(() => {
        unwritten -= decided.length;
        writes.delete(write);
        onWritten();
      });
      writes.add(write);
    },
    { between: oneTurn },
  );

  function trigger(run: ActiveRun, done: () => void): void {
    if (node.passWatch.isStuck) {
      letGo(parts, [run]);
      done();
      return;
    }
    const held = node.step('dispatch');
    if (held === undefined) batches.put({ run, route: null, done });
    else {
      held.then(
        () => batches.put({ run, route: null, done }),
        (error: unknown) => fail(run, error, done),
      );
    }
  }

  /** A run does not overtake runs that wait for the same reason: those are taken out of the database in their order. */
  function routeOf(run: ActiveRun): Route | Promise<Route> {
    const reason = waiting.reasonFor(run);
    return reason === undefined ? route(run) : { kind: 'wait', reason };
  }

  function take(each: Trigger, decided: Dispatch[]): void {
    const { run, done } = each;
    try {
      // It may have waited for so long that the node has lost it, and perhaps taken it again.
      const chosen = owned.has(run.row) ? (each.route ?? routeOf(run)) : null;
      if (chosen instanceof Promise) {
        chosen.then(
          (later) => batches.put({ run, done, route: later }),
          (error: unknown) => fail(run, error, done),
        );
        return;
      }
      if (chosen === null) {
        done();
        return;
      }
      const found = place(run, chosen, done);
      if (found?.kind === 'parked') waiting.announce(found);
      if (found !== null) decided.push(found);
    } catch (error) {
      fail(run, error, done);
    }
  }

  function fail(run: ActiveRun, error: unknown, done: () => void): void {
    retryLater(parts, [run], error);
    done();
  }

  return {
    trigger,
    get unwritten() {
      return unwritten;
    },
    onWritten(listener) {
      onWritten = listener;
    },
    async afterBatch() {
      await batches.current;
      await Promise.all(writes);
    },
  };
}

/** Writes the decisions about the runs, then starts them. */
async function dispatch(parts: DispatcherParts, decided: readonly Dispatch[]): Promise<void> {
  let written: readonly Written[];
  try {
    written = await parts.node.store.transaction((trx) => writeDispatches(parts.node, trx, decided));
  } catch (error) {
    for (const each of decided) cancel(each);
    parts.waiting.settle(parkingsOf(decided), () => false);
    retryLater(
      parts,
      decided.map(({ run }) => run),
      error,
    );
    return;
  }
  const parked = new Set<object>();
  decided.forEach((each, i) => {
    if (written[i]!.kind === 'done') parked.add(each);
    follow(parts, each, written[i]!);
  });
  parts.waiting.settle(parkingsOf(decided), (parking) => parked.has(parking));
}

/** Runs that wait, or may have to because of a limit, are written in order: a later run must not be found or started before them. */
function needsItsTurn({ kind, run }: Dispatch): boolean {
  return kind === 'parked' || run.job.maxRunning !== null || run.job.rate !== null;
}

function parkingsOf(decided: readonly Dispatch[]) {
  return decided.filter((each) => each.kind === 'parked');
}

export function follow(parts: DispatcherParts, each: Dispatch, written: Written): void {
  const { node, owned, intake } = parts;
  const { run } = each;
  if (written.kind === 'spread') intake.accept(written.runs, node.time.now());
  else if (written.kind === 'gone') routeAnew(parts, run);
  else if (written.kind === 'refused') refuse(parts, each, written.reason);
  else if (written.kind === 'done' && each.kind === 'placed') begin(parts, each);
  else {
    owned.delete(run.row);
    cancel(each);
  }
}

/** The run waits, although an executor could take it. */
function refuse({ owned, waiting }: DispatcherParts, each: Dispatch, reason: WaitingReason): void {
  const parking = { run: each.run, reason };
  owned.delete(each.run.row);
  cancel(each);
  waiting.announce(parking);
  waiting.limited(each.run.job.id);
  waiting.settle([parking], () => true);
}

function begin(parts: DispatcherParts, each: PlacedRun): void {
  const { node, owned, sender } = parts;
  const { run, fire, placement, onTheWay } = each;
  node.counters.fired += 1;
  noteFired(run.row, fire);
  if (!owned.set(run)) cancel(each);
  else if (placement === null) {
    const sent = sender.send(run).catch((error: unknown) => retryLater(parts, [run], error));
    void sent.then(() => onTheWay!.arrive());
  } else {
    placement.begin();
    if (run.row.state === 'running') reportStart(node, run.row, run.job);
  }
}

/** Routes the run again, because the known executors are out of date. */
function routeAnew({ node, registry, intake }: DispatcherParts, run: ActiveRun): void {
  registry.forget(run.job.executorGroup);
  intake.accept([run], node.time.now());
}

/** Frees the slot of a run that does not start. */
export function cancel(each: Dispatch): void {
  if (each.kind !== 'placed') return;
  each.placement?.cancel();
  each.onTheWay?.arrive();
}

/** At the next second the rows are read to see whether they are pending or running, and the runs are dispatched again. */
function retryLater(parts: DispatcherParts, runs: readonly ActiveRun[], error: unknown): void {
  const runIds = runs.slice(0, MAX_IDS_PER_LINE).map(({ row }) => row.id);
  parts.node.log.warn(
    { err: error, runs: runs.length, runIds },
    'Runs could not be dispatched and will be tried again',
  );
  letGo(parts, runs);
}

function letGo({ owned }: DispatcherParts, runs: readonly ActiveRun[]): void {
  for (const { row } of runs) owned.delete(row);
  owned.markUncertain();
}

const MAX_IDS_PER_LINE = 20;
