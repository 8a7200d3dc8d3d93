import type { ParsedFlow } from '../../flow/parse-flow.js';
import { badFlow } from '../../flow/parse-flow.js';
import { badOption, TimeRingError } from '../../model/errors.js';
import { MAX_FLOW_DEPTH } from '../../model/flow.js';
import { flowOfStep } from '../../model/flow-rows.js';
import type { Job, JobRef } from '../../model/job.js';
import type { JobReads } from '../../store/job-store.js';
import { isId } from './job-errors.js';

const MAX_KEYS_PER_READ = 500;

/** The jobs of the steps, in their order. Rejects a missing job, or one outside `groups`, with 'unknown-job'. */
export async function flowJobs(
  reads: JobReads,
  { steps }: ParsedFlow,
  groups?: readonly string[],
): Promise<readonly Job[]> {
  const refs = new Set(steps.map(({ job }) => job));
  const jobs = new Map<JobRef, Job>();
  const ids = [...refs].filter((ref) => typeof ref === 'number');
  for (const job of await reads.jobsByIds(ids)) jobs.set(job.id, job);
  const keys = [...refs].filter((ref) => typeof ref === 'string');
  for (let from = 0; from < keys.length; from += MAX_KEYS_PER_READ) {
    for (const job of await reads.jobsByKeys(keys.slice(from, from + MAX_KEYS_PER_READ))) jobs.set(job.key!, job);
  }
  return steps.map(({ name, job: ref }) => {
    const job = jobs.get(ref);
    if (job !== undefined && (groups?.includes(job.executorGroup) ?? true)) return job;
    throw new TimeRingError(
      'unknown-job',
      `There is no job ${String(ref)}, which step "${name}" asks for; jobs.list shows those there are`,
      { field: `steps.${name}.job`, value: ref },
    );
  });
}

/** The depth of a flow that the handler of a run starts; 0 outside flows. */
export async function flowDepth(reads: JobReads, fromRun: number | undefined): Promise<number> {
  if (fromRun === undefined) return 0;
  if (!isId(fromRun)) throw badOption('fromRun', fromRun, 'the id of the run whose handler starts the flow');
  const step = (await reads.run(fromRun))?.flowStep ?? null;
  const above = step === null ? null : await reads.flow(flowOfStep(step));
  const depth = above === null ? 0 : above.depth + 1;
  if (depth < MAX_FLOW_DEPTH) return depth;
  const problem = `flow ${above!.id} is already ${MAX_FLOW_DEPTH} deep in flows that started flows: does one start itself?`;
  throw badFlow('fromRun', fromRun, problem, { depth: MAX_FLOW_DEPTH });
}
