import type { Job, Run } from '@horae/time-ring';
import type { Answer } from '../define-command.js';
import { textTable } from '../text-table.js';

const shown = (at: number | null) => (at === null ? '-' : new Date(at).toISOString());

/** When a job runs, in a few words. */
function scheduleText({ schedule }: Job): string {
  if (schedule.kind === 'none') return 'by hand';
  if (schedule.kind === 'fix-rate') return `every ${schedule.everyMs / 1000} s`;
  return `${schedule.expression}${schedule.zone === undefined ? '' : ` ${schedule.zone}`}`;
}

/** Jobs as a table. */
export function jobTable(jobs: readonly Job[]): string {
  const rows = jobs.map((job) => [
    String(job.id),
    job.name,
    job.state,
    scheduleText(job),
    shown(job.nextAt),
    job.handler,
    job.executorGroup,
    job.stopReason === null || job.stopReason.code === 'user' ? '' : job.stopReason.message,
  ]);
  return textTable([['ID', 'NAME', 'STATE', 'SCHEDULE', 'NEXT', 'HANDLER', 'GROUP', ''], ...rows]);
}

/** One job, as the answer of a command that changed it. */
export function jobAnswer(job: Job, did: string): Answer {
  const next = job.nextAt === null ? '' : `, next at ${shown(job.nextAt)}`;
  return { json: job, text: `${did} job ${job.id} "${job.name}": ${job.state}${next}` };
}

/** Runs as a table. */
export function runTable(runs: readonly Run[]): string {
  const rows = runs.map((run) => [
    String(run.id),
    String(run.jobId),
    run.state,
    run.triggerType,
    shown(run.scheduleTime),
    shown(run.startedAt),
    run.startedAt === null || run.endedAt === null ? '-' : `${run.endedAt - run.startedAt} ms`,
    run.address ?? '-',
    (run.message ?? '').split('\n')[0]!.slice(0, 80),
  ]);
  return textTable([['RUN', 'JOB', 'STATE', 'BY', 'SCHEDULED', 'STARTED', 'TOOK', 'WHERE', 'MESSAGE'], ...rows]);
}
