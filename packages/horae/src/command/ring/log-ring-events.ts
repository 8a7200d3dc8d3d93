import type { Run, TimeRing } from '@horae/time-ring';
import type { DaemonLog } from '../daemon/daemon-log.js';
import { reportOf } from '../output/report-error.js';

const iso = (at: number | null) => (at === null ? undefined : new Date(at).toISOString());

/** Logs the events of a ring. */
export function logRingEvents({ events }: TimeRing, log: DaemonLog): void {
  events.on('run-started', ({ run }) => log.info(factsOf('run-started', run), 'started'));
  events.on('run-succeeded', ({ run }) => log.info(factsOf('run-succeeded', run), 'done'));
  events.on('run-failed', ({ run }) => log.warn(factsOf('run-failed', run), 'failed'));
  events.on('run-killed', ({ run }) => log.warn(factsOf('run-killed', run), 'killed'));
  events.on('result-refused', (facts) => log.warn({ event: 'result-refused', ...facts }, 'a late result was refused'));
  events.on('job-misfired', (facts) => log.warn({ event: 'job-misfired', ...facts }, 'missed'));
  events.on('job-stopped', ({ job }) =>
    log.info({ event: 'job-stopped', job: job.id, name: job.name, reason: job.stopReason?.message }, 'job stopped'),
  );
  events.on('executor-registered', (facts) =>
    log.info({ event: 'executor-registered', ...facts }, 'executor registered'),
  );
  events.on('executor-removed', (facts) => log.info({ event: 'executor-removed', ...facts }, 'executor removed'));
  events.on('executor-lost', (facts) => log.warn({ event: 'executor-lost', ...facts }, 'executor lost'));
  events.on('pass-failed', ({ error }) =>
    log.error({ event: 'pass-failed', error: reportOf(error).message }, 'a pass failed; it is tried again'),
  );
  events.on('pool-filled', (facts) => log.warn({ event: 'pool-filled', ...facts }, 'a pool is full; claiming waits'));
}

function factsOf(event: string, run: Run): object {
  return {
    event,
    job: run.jobId,
    run: run.id,
    fire: run.fireId,
    by: run.triggerType,
    attempt: run.attempt,
    scheduleTime: iso(run.scheduleTime),
    code: run.code ?? undefined,
    result: run.message ?? undefined,
  };
}
