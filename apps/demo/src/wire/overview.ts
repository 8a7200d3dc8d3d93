/** The engines of the demo, in the order in which they are shown. */
export const engines = ['cron', 'tasks', 'ring', 'sim', 'rewrites', 'shifts'] as const;
export type EngineName = (typeof engines)[number];

export type Tone = 'plain' | 'good' | 'bad';

/** One thing that happened in an engine. */
export interface ActivityEntry {
  readonly id: number;
  readonly at: number;
  readonly engine: EngineName;
  readonly text: string;
  readonly tone: Tone;
}

/** What the overview shows: the latest entries, and how many there were in each of the last sixty seconds. */
export interface OverviewSnapshot {
  readonly now: number;
  readonly startedAt: number;
  readonly entries: readonly ActivityEntry[];
  readonly perSecond: Readonly<Record<EngineName, readonly number[]>>;
}
