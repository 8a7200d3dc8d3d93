import { type ActiveRun, rowOf } from './active-run.js';
import { createBatches } from './batches.js';
import { firedRow, fireRuns } from './fire-runs.js';
import type { KnownRuns } from './known-runs.js';
import type { PlacedRun, PlaceRun } from './place-run.js';
import type { Recorder } from './recorder.js';
import type { RemoteSender } from './remote-sender.js';
import type { RingNode } from './ring-node.js';
import type { RunRouter } from './run-router.js';
import { tellStart } from './tell-run.js';

/** Brings runs to executors. */
export interface Dispatcher {
  /** `done` is called once, when the run needs its place in the pool no more. Runs of the same burst are written together. */
  trigger(run: ActiveRun, done: () => void): void;
  /** How many runs have given up their place in the pool and are not yet written. */
  readonly unwritten: number;
  /** Resolves when the triggers that are ready now are written. */
  afterBatch(): Promise<void>;
}

/** What a dispatcher works with. */
export interface DispatcherParts {
  readonly node: RingNode;
  readonly known: KnownRuns;
  readonly recorder: Recorder;
  readonly route: RunRouter;
  readonly place: PlaceRun;
  readonly sender: RemoteSender;
  enqueue(runs: readonly ActiveRun[]): void;
  /** A batch is written, or will not be. */
  written(): void;
  /** A write failed, and nobody knows whether it was committed. */
  doubt(): void;
}

interface Trigger {
  readonly run: ActiveRun;
  /** Null while they have not been chosen. */
  readonly targets: readonly string[] | null;
  readonly done: () => void;
}

const MOST_TRIGGERS_A_WRITE = 1_000;
/** While a server writes one batch, the next is prepared. */
const MOST_WRITES = 2;

/**
 * Triggers are handled in batches from end to end: if a thousand jobs of one second each waited for promises of their own, the last would
 * start tens of milliseconds later.
 */
export function createDispatcher(parts: DispatcherParts): Dispatcher {
  const { node, known, route, place } = parts;
  let unwritten = 0;
  const writes = new Set<Promise<void>>();
  // A place in a pool that becomes free meanwhile brings the next trigger into the same batch.
  const batches = createBatches<Trigger>(MOST_TRIGGERS_A_WRITE, async (triggers) => {
    const placed: PlacedRun[] = [];
    for (const each of triggers) take(each, placed);
    if (placed.length === 0) return;
    unwritten += placed.length;
    while (writes.size >= MOST_WRITES) await Promise.race(writes);
    const write = handOut(parts, placed).then(() => {
      unwritten -= placed.length;
      writes.delete(write);
      parts.written();
    });
    writes.add(write);
  });

  function trigger(run: ActiveRun, done: () => void): void {
    const held = node.step('dispatch');
    if (held === undefined) batches.put({ run, targets: null, done });
    else {
      held.then(
        () => batches.put({ run, targets: null, done }),
        (error: unknown) => fail(run, error, done),
      );
    }
  }

  function take(each: Trigger, placed: PlacedRun[]): void {
    const { run, done } = each;
    try {
      // It may have waited for so long that the node has lost it, and perhaps got it back.
      const targets = known.has(run.row) ? (each.targets ?? route(run)) : null;
      if (targets instanceof Promise) {
        targets.then(
          (chosen) => batches.put({ run, done, targets: chosen }),
          (error: unknown) => fail(run, error, done),
        );
        return;
      }
      if (targets === null) {
        done();
        return;
      }
      const found = place(run, targets, done);
      if (found !== null) placed.push(found);
    } catch (error) {
      fail(run, error, done);
    }
  }

  function fail(run: ActiveRun, error: unknown, done: () => void): void {
    giveUp(parts, [run], error);
    done();
  }

  return {
    trigger,
    get unwritten() {
      return unwritten;
    },
    async afterBatch() {
      await batches.current;
      await Promise.all(writes);
    },
  };
}

/** Writes that the runs are handed out, then lets them begin. */
async function handOut(parts: DispatcherParts, placed: readonly PlacedRun[]): Promise<void> {
  let siblings: Awaited<ReturnType<typeof fireRuns>>;
  try {
    const fires = placed.map(({ fire }) => fire);
    siblings = await parts.node.store.transaction((trx) => fireRuns(parts.node, trx, fires));
  } catch (error) {
    for (const each of placed) stay(each);
    giveUp(
      parts,
      placed.map(({ run }) => run),
      error,
    );
    return;
  }
  placed.forEach((each, i) => void begin(parts, each, siblings[i]!));
}

/** `ids` are those of the run's siblings; null: it is not this node's to hand out any more. */
function begin(parts: DispatcherParts, each: PlacedRun, ids: readonly number[] | null): void {
  const { node, known, recorder, sender } = parts;
  const { run, fire, placement, onTheWay } = each;
  const { job } = run;
  if (ids === null) {
    known.delete(run.row);
    stay(each);
    return;
  }
  node.counters.fired += 1;
  if (ids.length > 0) parts.enqueue(fire.siblings.map((sibling, i) => ({ job, row: rowOf(sibling, ids[i]!) })));
  const fired: ActiveRun = { job, row: firedRow(run.row, fire.fire) };
  if (!known.set(fired)) stay(each);
  else if (placement === null) {
    const sent = sender.send(fired).catch((error: unknown) => giveUp(parts, [fired], error));
    void sent.then(() => onTheWay!.arrive());
  } else if (placement.kind === 'refused') recorder.end(fired, placement.outcome);
  else {
    placement.begin();
    if (fired.row.state === 'running') tellStart(node, fired.row);
  }
}

/** The run does not begin: its place is given back. */
function stay({ placement, onTheWay }: PlacedRun): void {
  if (placement !== null && placement.kind !== 'refused') placement.cancel();
  onTheWay?.arrive();
}

/** Whether the rows say pending or running is found out at the next second, and the runs are given out again. */
function giveUp({ node, known, doubt }: DispatcherParts, runs: readonly ActiveRun[], error: unknown): void {
  const runIds = runs.map(({ row }) => row.id);
  node.log.warn({ error, runIds }, 'Runs could not be handed out and will be tried again');
  for (const { row } of runs) known.delete(row);
  doubt();
}
