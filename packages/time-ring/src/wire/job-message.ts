import { z } from 'zod';
import { shapeProblem } from './shape-problem.js';

const jobShape = z.object({ jobId: z.number().int(), logId: z.number().int().nullish() });

/** The body of `/kill`. Third-party executors kill by `jobId` alone; Horae's ends only the named run. */
export function killMessage(run: { jobId: number; runId: number }) {
  return { jobId: run.jobId, logId: run.runId };
}

/** The body of `/idleBeat`. With a run, Horae's executor reports whether it has that run; third-party executors use `jobId` alone. */
export function idleBeatMessage(jobId: number, runId?: number) {
  return runId === undefined ? { jobId } : { jobId, logId: runId };
}

/** Reads the body of `/idleBeat` or `/kill`. Returns a string with the reason if it is refused. */
export function parseJobMessage(body: unknown): { jobId: number; runId: number | null } | string {
  const result = jobShape.safeParse(body);
  if (!result.success) return shapeProblem(result.error);
  return { jobId: result.data.jobId, runId: result.data.logId ?? null };
}
