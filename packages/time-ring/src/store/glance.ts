import type { EpochMs } from '@horae/clock-store';
import type { NodeHeartbeat } from './node-heartbeat.js';

/** What a node wants to know at the beginning of a pass. */
export interface GlanceQuery {
  /** Written unless there is something to claim, whose transaction writes it; null: it is not time yet. */
  readonly heartbeat: NodeHeartbeat | null;
  readonly owner: string;
  /** The new expiry of the node's leases, written with the heartbeat; null without leases. */
  readonly leasesUntil: EpochMs | null;
  /** Jobs that are due by then, and delayed runs, are to be claimed. */
  readonly dueBy: EpochMs;
  readonly delayedBy: EpochMs;
  /** Runs whose deadline has come, and alerts that are due, are looked after. */
  readonly now: EpochMs;
  /** Remote executors that were last heard of before are lost. */
  readonly aliveSince: EpochMs;
}

/** Whether there is anything to do, found without holding anything. */
export interface Glance {
  /** The store's clock; null where the node's own is it. */
  readonly now: EpochMs | null;
  readonly nodes: readonly NodeHeartbeat[];
  /** Due jobs, delayed runs that are due, or runs that nobody has. */
  readonly hasWork: boolean;
  readonly hasLockRow: boolean;
  /** How many leases the node has. */
  readonly leases: number;
  /** Another one after every change of a group. */
  readonly groupsVersion: number;
  readonly hasHandovers: boolean;
  readonly hasWaiting: boolean;
  /** Remote or waiting runs past their deadline. */
  readonly hasOverdue: boolean;
  readonly hasLostExecutors: boolean;
  readonly hasDueAlerts: boolean;
}
