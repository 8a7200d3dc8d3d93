import { z } from 'zod';
import { findGrounds } from '../engine/ring-grounds.js';
import { RequestProblem } from '../http/read-body.js';
import { badOption } from '../model/errors.js';
import type { TimeRing } from '../model/interface.js';
import { sqlRunReport } from '../store/sql/sql-run-report.js';
import { type AdminRoute, adminRoute, json } from './admin-route.js';

const instant = z.number().int().min(0).max(8.64e15);
const count = z.number().int().min(0);
const MAX_DAYS = 31;

const query = z.strictObject({ from: instant, to: instant, groups: z.string().max(10_000).optional() });

const figures = z.object({
  jobId: count,
  name: z.string().nullable(),
  runs: count,
  failed: count,
  meanMs: z.number().nullable(),
  maxMs: z.number().nullable(),
});

const report = z.object({
  hours: z.array(z.object({ at: instant, succeeded: count, failed: count, killed: count, skipped: count })),
  failing: z.array(figures),
  slowest: z.array(figures),
  open: z.object({ pending: count, queued: count, running: count }),
});

/** What became of the runs of a day or a month. */
export function reportRoutes(ring: TimeRing): AdminRoute[] {
  return [
    adminRoute({
      method: 'GET',
      path: '/admin/report',
      summary: 'Runs that ended in [from, to) by hour, the most failing and the slowest jobs, and what is open now',
      query,
      answers: { 200: { description: 'The report; hours without runs are left out', schema: report } },
      async answer({ query: { from, to, groups } }) {
        if (to <= from || to - from > MAX_DAYS * 86_400_000)
          throw badOption('to', to, `after from, by at most ${MAX_DAYS} days`);
        const grounds = findGrounds(ring);
        if (grounds === undefined) throw new RequestProblem(501, 'no-report', 'This ring has no database of its own');
        return json(await sqlRunReport(grounds.database, { from, to, groups: groupNames(groups) }));
      },
    }),
  ];
}

/** The names in a JSON array: a name may have any character in it. */
function groupNames(text: string | undefined): string[] | undefined {
  if (text === undefined) return undefined;
  try {
    return z.array(z.string()).parse(JSON.parse(text));
  } catch {
    throw badOption('groups', text, 'a JSON array of names');
  }
}
