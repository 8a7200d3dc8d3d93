import type { EpochMs } from '@horae/clock-store';
import type { Glance, GlanceQuery } from '../../store/glance.js';
import { noteNodes } from '../events/shared-events.js';
import { ALIVE_MS } from '../node/living-executors.js';
import type { OwnedRuns } from '../node/owned-runs.js';
import { heartbeatOf, nearMs, type RingNode } from '../node/ring-node.js';
import type { BucketLeases } from './bucket-leases.js';

/** Avoids transactions while the ring is quiet: one glance shows that there is nothing to claim. */
export interface QuietWatch {
  /** The other work the glance has found; null: there may be something to claim, so a whole pass is needed. */
  look(): Promise<{ readonly at: EpochMs; readonly glance: Glance } | null>;
  /** Called after a whole pass; `isQuiet`: it found nothing. */
  passed(isQuiet: boolean): void;
}

/** How often a whole pass is made, whatever the glances show. */
const WHOLE_PASS_MS = 300_000;
/** Without other nodes none can declare this one dead, and a new node finds a heartbeat well within the lease. */
const BEAT_ALONE_MS = 1_900;
const MIN_LEASE_ALONE_MS = 3_000;
/** For the same reason it may lease its buckets for longer at a time. */
const LEASES_ALONE = 10;

export function createQuietWatch(node: RingNode, leases: BucketLeases, owned: OwnedRuns): QuietWatch {
  const { owner, options, clock, time, store } = node;
  let wasQuiet = false;
  let wholeMs = Number.NEGATIVE_INFINITY;
  let beatMs = Number.NEGATIVE_INFINITY;
  let groupsVersion: number | null = null;
  let leasedUntil = Number.NEGATIVE_INFINITY;

  function query(): GlanceQuery {
    const now = time.now();
    const isAlone = node.peers === 0 && options.leaseMs >= MIN_LEASE_ALONE_MS;
    const isTime = !isAlone || clock.monotonicMs() - beatMs >= BEAT_ALONE_MS;
    return {
      ...{ owner, now, dueBy: now + options.preReadMs, delayedBy: now + nearMs(options) },
      heartbeat: isTime ? heartbeatOf(node, now) : null,
      leasesUntil: leasesUntil(now, isAlone),
      aliveSince: now - ALIVE_MS,
    };
  }

  function leasesUntil(now: EpochMs, isAlone: boolean): EpochMs | null {
    const { claim, leaseMs } = options;
    if (claim === 'lock-row') return null;
    if (!isAlone) return now + leaseMs;
    return leasedUntil - now > 2 * leaseMs ? null : now + LEASES_ALONE * leaseMs;
  }

  /** The same statement reads the clock of the database. */
  async function glanceAndTime(asked: GlanceQuery): Promise<{ at: EpochMs; glance: Glance | null }> {
    const seen: { glance?: Glance | null } = {};
    const read = async () => {
      seen.glance = await store.glance(asked);
      return seen.glance?.now ?? null;
    };
    const at = await time.read({ now: read });
    if (seen.glance === undefined) await read();
    return { at, glance: seen.glance ?? null };
  }

  function isWholePassDue({ nodes, ...glance }: Glance, at: EpochMs): boolean {
    const living = nodes.filter((beat) => beat.owner === owner || !node.liveness.isDead(beat, at));
    node.watchHeartbeats(nodes, at);
    noteNodes(node, nodes, at);
    node.peers = living.length - 1;
    if (glance.hasWork || living.length < nodes.length) return true;
    if (options.claim === 'lock-row') return !glance.hasLockRow;
    return glance.leases !== leases.owned.length || !leases.isEven(living.map((beat) => beat.owner));
  }

  return {
    async look() {
      if (!wasQuiet || owned.mayBeMore || clock.monotonicMs() - wholeMs >= WHOLE_PASS_MS) return null;
      const asked = query();
      const { at, glance } = await glanceAndTime(asked);
      if (glance === null || isWholePassDue(glance, at)) return null;
      if (asked.heartbeat !== null) {
        beatMs = clock.monotonicMs();
        leasedUntil = asked.leasesUntil ?? leasedUntil;
      }
      // The whole pass that follows reads the groups.
      const isNewGroups = glance.groupsVersion !== groupsVersion;
      groupsVersion = glance.groupsVersion;
      return isNewGroups ? null : { at, glance };
    },
    passed(isQuiet) {
      wasQuiet = isQuiet;
      wholeMs = clock.monotonicMs();
      beatMs = wholeMs;
      leasedUntil = Number.NEGATIVE_INFINITY;
    },
  };
}
