import type { AlertRule } from './alert.js';
import type { RateLimit } from './job.js';

/** The jobs and executors of one name, and what holds for all of them together. */
export interface Group {
  readonly name: string;
  readonly title: string;
  /** Executors that do not register: they count as alive. */
  readonly addresses: readonly string[];
  /** Runs of all its jobs at once in the whole ring; null: no limit. */
  readonly maxRunning: number | null;
  /** Starts of all its jobs in the whole ring; null: no limit. */
  readonly rate: RateLimit | null;
  /** Who hears of what happens to its jobs, besides what they and the ring's options say. */
  readonly alerts: readonly AlertRule[];
  readonly paused: boolean;
}

/** Groups: every one that was put, or that a job or an executor names. */
export interface Groups {
  /** By name. */
  list(): Promise<readonly Group[]>;
  /** Makes a group what is given here, or adds it; whether it is paused stays. */
  put(group: {
    name: string;
    title?: string;
    addresses?: readonly string[];
    maxRunning?: number | null;
    rate?: RateLimit | null;
    alerts?: readonly AlertRule[];
  }): Promise<Group>;
  /** Replaces the rules for alerts of a group, or of one that is not there yet, and nothing else. */
  putAlerts(name: string, alerts: readonly AlertRule[]): Promise<Group>;
  /** Once it resolves, nothing of the group starts, claimed or triggered; what runs goes on. */
  pause(name: string): Promise<Group>;
  /** What was triggered or claimed starts; occurrences of the time in between are judged by the misfire rule. */
  resume(name: string): Promise<Group>;
  /** 'group-in-use' while a job names it. */
  remove(name: string): Promise<void>;
}
