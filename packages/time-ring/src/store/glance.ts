import type { EpochMs } from '@horae/clock-store';
import type { NodeHeartbeat } from './node-heartbeat.js';

/** The question a node puts to the store at the beginning of a pass. */
export interface GlanceQuery {
  /** Written unless there is something to claim, in which case the claim's transaction writes it; null: not due yet. */
  readonly heartbeat: NodeHeartbeat | null;
  readonly owner: string;
  /** The new expiry of the node's leases, written with the heartbeat; null without leases. */
  readonly leasesUntil: EpochMs | null;
  /** Jobs due by this time, and delayed runs due by `delayedBy`, are to be claimed. */
  readonly dueBy: EpochMs;
  readonly delayedBy: EpochMs;
  /** Finds runs past their deadline and alerts that are due. */
  readonly now: EpochMs;
  /** Remote executors whose last heartbeat is older are lost. */
  readonly aliveSince: EpochMs;
}

/** Whether there is work, found without locking anything. */
export interface Glance {
  /** The time of the store's clock; null where each node uses its own. */
  readonly now: EpochMs | null;
  readonly nodes: readonly NodeHeartbeat[];
  /** Due jobs, due delayed runs, or unowned runs exist. */
  readonly hasWork: boolean;
  readonly hasLockRow: boolean;
  /** How many leases the node has. */
  readonly leases: number;
  /** Changes whenever a group does. */
  readonly groupsVersion: number;
  readonly hasHandovers: boolean;
  readonly hasWaiting: boolean;
  /** Remote or waiting runs past their deadline. */
  readonly hasOverdue: boolean;
  readonly hasLostExecutors: boolean;
  readonly hasDueAlerts: boolean;
}
