import type { Glance } from '../../store/glance.js';
import type { WakeUps } from '../../store/wake-ups.js';
import { failure } from '../../workbench/assignment.js';
import type { RunIntake } from '../dispatch/intake.js';
import type { ExecutorRegistry } from '../dispatch/registry.js';
import type { SharedEvents } from '../events/shared-events.js';
import type { OwnedRuns } from '../node/owned-runs.js';
import type { RingNode } from '../node/ring-node.js';
import type { Recorder } from '../record/recorder.js';
import { createWakeWatch } from './wake-watch.js';

/** How soon a node notices runs handed over to it where its database sends no messages. */
const POLL_MS = 250;
/** How many passes lie between two looks where the database sends messages. */
const PASSES_PER_LOOK = 5;

/** Receives the runs that other nodes hand over to this node's executors. */
export interface HandoverWatch {
  /** Looks now, and repeatedly until the next pass where other nodes live and the database sends no messages. Never rejects. */
  look(glance: Glance | null): Promise<void>;
  /** Whether other nodes wake this one. */
  readonly isLive: boolean;
  stop(): void;
}

export function createHandoverWatch(
  node: RingNode,
  parts: {
    owned: OwnedRuns;
    intake: RunIntake;
    recorder: Recorder;
    registry: ExecutorRegistry;
    wakeUps: WakeUps | null;
    /** Reads the kills of runs that this node owns. */
    takeKills(): Promise<void>;
    /** Called when there may be unowned runs. */
    onUnowned(): void;
    sharedEvents: Pick<SharedEvents, 'onEvents' | 'onListeners'>;
  },
): HandoverWatch {
  const { owned, intake, recorder, registry } = parts;
  const stopping = new AbortController();
  const wakes = createWakeWatch(node, parts.wakeUps, {
    mine: onMine,
    unowned: parts.onUnowned,
    events: parts.sharedEvents.onEvents,
    listeners: parts.sharedEvents.onListeners,
  });
  let isPolling = false;
  let receiving: Promise<void> | null = null;
  let isOwed = false;
  let unlooked = 0;

  async function take(): Promise<void> {
    if (!(await node.store.hasHandovers(node.owner))) return;
    const rows = await node.store.transaction((trx) => trx.takeHandovers(node.owner));
    // A run that came back another way meanwhile is already under way.
    const received = rows.filter((row) => row.state === 'pending' && !owned.has(row));
    const jobs = new Map((await node.store.jobsByIds(received.map(({ jobId }) => jobId))).map((job) => [job.id, job]));
    const runs = received.flatMap((row) => (jobs.has(row.jobId) ? [{ job: jobs.get(row.jobId)!, row }] : []));
    for (const row of received) {
      if (!jobs.has(row.jobId)) recorder.end({ row, job: null }, failure('The job is gone'));
    }
    intake.accept(runs, node.time.now());
  }

  async function receive(): Promise<void> {
    try {
      await take();
    } catch (error) {
      // A handover that was taken, or may have been, is not returned again.
      owned.markUncertain();
      node.log.warn({ err: error }, 'Runs that were handed over could not be read; the next look tries again');
    }
  }

  /** One look at a time; one more covers all wake-ups that arrive meanwhile. */
  async function receiveNext(): Promise<void> {
    isOwed = true;
    if (receiving !== null) return receiving;
    receiving = (async () => {
      while (isOwed && !stopping.signal.aborted) {
        isOwed = false;
        await receive();
      }
    })();
    await receiving;
    receiving = null;
  }

  function onMine(): void {
    void receiveNext();
    parts
      .takeKills()
      .catch((error: unknown) => node.log.warn({ err: error }, 'Kills could not be read; the next pass tries again'));
  }

  async function poll(): Promise<void> {
    isPolling = true;
    for (let waitedMs = POLL_MS; waitedMs < 1_000; waitedMs += POLL_MS) {
      await node.clock.sleepFor(POLL_MS, { signal: stopping.signal });
      if (!wakes.isLive) await receiveNext();
    }
  }

  return {
    async look(glance) {
      wakes.look();
      // Makes up for a message that was lost in spite of everything.
      unlooked = wakes.isLive ? (unlooked + 1) % PASSES_PER_LOOK : 0;
      if (glance?.hasHandovers ?? unlooked === 0) await receiveNext();
      if (wakes.isLive || isPolling || node.peers === 0 || registry.locals().length === 0 || stopping.signal.aborted)
        return;
      void poll()
        .catch(() => {})
        .finally(() => {
          isPolling = false;
        });
    },
    get isLive() {
      return wakes.isLive;
    },
    stop() {
      stopping.abort();
      wakes.stop();
    },
  };
}
