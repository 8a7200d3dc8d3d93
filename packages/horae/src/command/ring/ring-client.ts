import type {
  ExecutorInfo,
  Flow,
  FlowFilter,
  FlowInput,
  Flows,
  Group,
  ImportOptions,
  ImportReport,
  Job,
  JobInput,
  Jobs,
  Run,
  Runs,
} from '@horae/time-ring';

/** The operations of the ring commands, on a node's admin API or on the database. */
export interface RingClient {
  add(job: Parameters<Jobs['add']>[0]): Promise<Job>;
  update(id: number, change: Partial<JobInput>): Promise<Job>;
  remove(id: number): Promise<void>;
  list(options: NonNullable<Parameters<Jobs['list']>[0]>): ReturnType<Jobs['list']>;
  start(id: number): Promise<Job>;
  stop(id: number): Promise<Job>;
  trigger(id: number, options: NonNullable<Parameters<Jobs['trigger']>[1]>): Promise<Run>;
  runs(options: NonNullable<Parameters<Runs['list']>[0]>): ReturnType<Runs['list']>;
  run(run: number): Promise<Run | null>;
  kill(run: number): Promise<boolean>;
  retry(run: number): Promise<Run>;
  pause(group: string): Promise<Group>;
  resume(group: string): Promise<Group>;
  executors(group: string | undefined): Promise<readonly ExecutorInfo[]>;
  log(id: number, fromLine: number): ReturnType<Runs['log']>;
  startFlow(flow: FlowInput): Promise<Flow>;
  flows(options: FlowFilter): ReturnType<Flows['list']>;
  flow(id: number): Promise<Flow | null>;
  cancelFlow(id: number): Promise<boolean>;
  /** Takes over a dump of XXL-JOB. */
  importXxl(text: string, options: ImportOptions): Promise<ImportReport>;
}
