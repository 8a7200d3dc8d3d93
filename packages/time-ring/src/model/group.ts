import type { AlertRule } from './alert.js';
import type { RateLimit } from './job.js';

/** A named group of jobs and executors, with the settings that apply to all of them together. */
export interface Group {
  readonly name: string;
  readonly title: string;
  /** The addresses of executors that do not register; they always count as alive. */
  readonly addresses: readonly string[];
  /** The maximum number of concurrent runs of all its jobs in the whole ring; null: no limit. */
  readonly maxRunning: number | null;
  /** Limits how often runs of all its jobs start in the whole ring; null: no limit. */
  readonly rate: RateLimit | null;
  /** Alert rules for its jobs, in addition to the rules of the jobs and of the ring's options. */
  readonly alerts: readonly AlertRule[];
  readonly paused: boolean;
}

/** The groups: each one that was put, or that a job or an executor names. */
export interface Groups {
  /** By name. */
  list(): Promise<readonly Group[]>;
  /** Adds a group or replaces its settings; a paused group stays paused. */
  put(group: {
    name: string;
    title?: string;
    addresses?: readonly string[];
    maxRunning?: number | null;
    rate?: RateLimit | null;
    alerts?: readonly AlertRule[];
  }): Promise<Group>;
  /** Replaces the alert rules of a group and nothing else; adds the group if it does not exist. */
  putAlerts(name: string, alerts: readonly AlertRule[]): Promise<Group>;
  /** Once it resolves, no run of the group starts, claimed or triggered; running ones continue. */
  pause(name: string): Promise<Group>;
  /** Triggered and claimed runs start; the misfire rule decides about occurrences that fell due during the pause. */
  resume(name: string): Promise<Group>;
  /** Removes a group; rejects with 'group-in-use' while a job names it. */
  remove(name: string): Promise<void>;
}
