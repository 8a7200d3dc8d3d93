import type { Job, Run } from 'horae/ring';
import type { RingJobView, RingRunView } from '../../wire/ring.js';

export function jobView(job: Job): RingJobView {
  return {
    id: job.id,
    name: job.name,
    handler: job.handler,
    schedule: scheduleWords(job),
    route: job.route,
    block: job.block,
    misfire: job.misfire,
    state: job.state,
    stopReason: job.stopReason?.message ?? null,
    lastAt: job.lastAt,
    nextAt: job.nextAt,
  };
}

function scheduleWords({ schedule }: Job): string {
  if (schedule.kind === 'cron') {
    const { expression, dialect = 'quartz' } = schedule;
    return dialect === 'quartz' ? expression : `${expression} (${dialect})`;
  }
  if (schedule.kind === 'fix-rate') return `every ${schedule.everyMs / 1000} s`;
  return schedule.kind === 'none' ? 'by hand' : schedule.kind;
}

export function runView(run: Run, jobName: string): RingRunView {
  return {
    id: run.id,
    jobId: run.jobId,
    jobName,
    triggerType: run.triggerType,
    state: run.state,
    attempt: run.attempt,
    address: run.address,
    shard: run.shardTotal > 1 ? `${run.shardIndex + 1}/${run.shardTotal}` : null,
    scheduleTime: run.scheduleTime,
    startedAt: run.startedAt,
    endedAt: run.endedAt,
    message: run.message,
  };
}
