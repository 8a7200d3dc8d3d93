import { z } from 'zod';
import { shapeProblem } from './shape-problem.js';

const jobShape = z.object({ jobId: z.number().int(), logId: z.number().int().nullish() });

/** The body of `/kill`. Executors of others kill by `jobId` alone; ours ends only the run that is meant. */
export function killMessage(run: { jobId: number; runId: number }) {
  return { jobId: run.jobId, logId: run.runId };
}

/** The body of `/idleBeat`. With a run, ours says whether it has that run; executors of others go by `jobId` alone. */
export function idleBeatMessage(jobId: number, runId?: number) {
  return runId === undefined ? { jobId } : { jobId, logId: runId };
}

/** Reads the body of `/idleBeat` or `/kill`. A text is the reason why it is refused. */
export function parseJobMessage(body: unknown): { jobId: number; runId: number | null } | string {
  const result = jobShape.safeParse(body);
  if (!result.success) return shapeProblem(result.error);
  return { jobId: result.data.jobId, runId: result.data.logId ?? null };
}
