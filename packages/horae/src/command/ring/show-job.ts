import type { Job, Run } from '@horae/time-ring';
import type { Answer } from '../frame/define-command.js';
import { textTable } from '../output/text-table.js';

const shown = (at: number | null) => (at === null ? '-' : new Date(at).toISOString());

/** When a job runs, in a few words. */
function scheduleText({ schedule }: Job): string {
  switch (schedule.kind) {
    case 'none':
      return 'by hand';
    case 'fix-rate':
      return `every ${schedule.everyMs / 1000} s`;
    case 'fix-delay':
      return `${schedule.everyMs / 1000} s after each end`;
    case 'once':
      return `once at ${shown(schedule.at)}`;
    case 'interval': {
      const [unit, count] = Object.entries(schedule.every).find(([, value]) => value !== undefined) ?? ['?', '?'];
      return `every ${count} ${unit} from ${schedule.anchor}${inZone(schedule.zone)}`;
    }
    case 'cron':
      return `${schedule.expression}${inZone(schedule.zone)}`;
  }
}

function inZone(zone: string | undefined): string {
  return zone === undefined ? '' : ` ${zone}`;
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
