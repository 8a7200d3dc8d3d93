import { createHash } from 'node:crypto';

/** The first four bytes of the MD5 of `key`, little-endian, unsigned. */
export function routeHash(key: string): number {
  return createHash('md5').update(key).digest().readUInt32LE(0);
}

/** The number of buckets that jobs are distributed over. */
export const BUCKETS = 64;

/** A cache: runs of the same job come in thousands. */
let last = { jobId: Number.NaN, bucket: 0 };

/** The bucket of a job, which decides the node that schedules it in the mode `buckets`. */
export function bucketOf(jobId: number): number {
  if (last.jobId !== jobId) last = { jobId, bucket: routeHash(String(jobId)) % BUCKETS };
  return last.bucket;
}
