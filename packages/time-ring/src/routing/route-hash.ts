import { createHash } from 'node:crypto';

/** The first four bytes of the MD5 of `key`, little-endian, unsigned. */
export function routeHash(key: string): number {
  return createHash('md5').update(key).digest().readUInt32LE(0);
}

/** How many buckets jobs are spread over. */
export const BUCKETS = 64;

/** Runs come by thousands of the same job. */
let last = { jobId: Number.NaN, bucket: 0 };

/** The bucket of a job: which node schedules it in the mode `buckets`. */
export function bucketOf(jobId: number): number {
  if (last.jobId !== jobId) last = { jobId, bucket: routeHash(String(jobId)) % BUCKETS };
  return last.bucket;
}
