/**
 * Why a run starts: its first registration falls into a matching minute (`boot`), its minute has come (`cron`), an earlier
 * occurrence could not start (`catch-up`), its retry delay is over (`retry`), an earlier instance left it unfinished (`orphan`),
 * or it was started by hand (`manual`).
 */
export type RunReason = 'boot' | 'cron' | 'catch-up' | 'retry' | 'orphan' | 'manual';
