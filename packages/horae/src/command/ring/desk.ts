import type { ExecutorInfo, Job, Jobs, Run, Runs } from '@horae/time-ring';

/** What the commands ask of a ring, whether a node answers or the database. */
export interface Desk {
  add(job: Parameters<Jobs['add']>[0]): Promise<Job>;
  list(options: NonNullable<Parameters<Jobs['list']>[0]>): ReturnType<Jobs['list']>;
  start(id: number): Promise<Job>;
  stop(id: number): Promise<Job>;
  trigger(id: number, options: NonNullable<Parameters<Jobs['trigger']>[1]>): Promise<Run>;
  runs(options: NonNullable<Parameters<Runs['list']>[0]>): ReturnType<Runs['list']>;
  executors(group: string | undefined): Promise<readonly ExecutorInfo[]>;
  log(id: number, fromLine: number): ReturnType<Runs['log']>;
}
