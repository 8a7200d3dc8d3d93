import type { EpochMs } from '@horae/clock-store';
import type { Job } from '../model/job.js';
import { routeHash } from '../routing/route-hash.js';

/** When an occurrence is due: up to `jitterMs` after its schedule time, with a delay that is always the same for it. */
export function dueTime({ id, jitterMs }: Pick<Job, 'id' | 'jitterMs'>, scheduleTime: EpochMs): EpochMs {
  return jitterMs === 0 ? scheduleTime : scheduleTime + (routeHash(`${id}:${scheduleTime}`) % (jitterMs + 1));
}
