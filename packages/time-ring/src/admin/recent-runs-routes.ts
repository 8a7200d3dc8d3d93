import { z } from 'zod';
import { findGrounds } from '../engine/ring-grounds.js';
import { RequestProblem } from '../http/read-body.js';
import { badOption } from '../model/errors.js';
import type { TimeRing } from '../model/interface.js';
import { runStates } from '../model/run.js';
import { sqlRecentRuns } from '../store/sql/sql-recent-runs.js';
import { type AdminRoute, adminRoute, json } from './admin-route.js';
import { groupNames, groupsText } from './group-names.js';

const MAX_JOBS = 100;
const MAX_RUNS = 30;
const DEFAULT_RUNS = 12;

const query = z.strictObject({
  jobIds: z.string().max(2_000),
  groups: groupsText,
  limit: z.number().int().min(1).max(MAX_RUNS).optional(),
});

const id = z.number().int().min(1);
const recent = z.object({ id, state: z.enum(runStates), tookMs: z.number().nullable() });

/** The newest runs of many jobs at once, for drawings beside a list of jobs. */
export function recentRunsRoutes(ring: TimeRing): AdminRoute[] {
  return [
    adminRoute({
      method: 'GET',
      path: '/admin/recent-runs',
      summary: `The newest runs of up to ${MAX_JOBS} jobs, \`jobIds\` with commas, ${DEFAULT_RUNS} of each unless \`limit\` says otherwise`,
      query,
      answers: {
        200: {
          description: 'Per job, the newest first',
          schema: z.object({ jobs: z.array(z.object({ jobId: id, runs: z.array(recent) })) }),
        },
      },
      async answer({ query: { jobIds, groups, limit = DEFAULT_RUNS } }) {
        const grounds = findGrounds(ring);
        if (grounds === undefined) throw new RequestProblem(501, 'no-report', 'This ring has no database of its own');
        const asked = { jobIds: idsOf(jobIds), groups: groupNames(groups), limit };
        const found = await sqlRecentRuns(grounds.database, asked);
        return json({ jobs: [...found].map(([jobId, runs]) => ({ jobId, runs })) });
      },
    }),
  ];
}

function idsOf(text: string): number[] {
  const parts = text.split(',');
  if (parts.length <= MAX_JOBS && parts.every((part) => /^[1-9]\d{0,14}$/.test(part))) return parts.map(Number);
  throw badOption('jobIds', text, `1 to ${MAX_JOBS} ids of jobs with commas between them`);
}
