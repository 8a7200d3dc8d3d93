import { bucketOf, type NewRun } from '@horae/time-ring';

/** A run of a job that has yet to be fired: nobody's, so that whoever passes first takes it, unless `change` says otherwise. */
export function pendingRun(jobId: number, change: Partial<NewRun> = {}): NewRun {
  return {
    fireId: null,
    jobId,
    scheduleTime: null,
    triggerType: 'manual',
    state: 'pending',
    attempt: 1,
    address: null,
    shardIndex: 0,
    shardTotal: 1,
    params: null,
    firedAt: null,
    startedAt: null,
    endedAt: null,
    code: null,
    message: null,
    owner: '',
    fence: 1,
    bucket: change.bucket ?? bucketOf(jobId),
    fixedAddress: null,
    deadlineAt: null,
    key: null,
    ...change,
  };
}
