import type { Clock } from '@horae/clock-store';
import { z } from 'zod';
import { findGrounds } from '../engine/ring-grounds.js';
import { RequestProblem } from '../http/read-body.js';
import { badOption } from '../model/errors.js';
import type { TimeRing } from '../model/interface.js';
import { type RunReport, sqlRunReport } from '../store/sql/sql-run-report.js';
import { type AdminRoute, adminRoute, json } from './admin-route.js';
import { groupNames, groupsText } from './group-names.js';

const instant = z.number().int().min(0).max(8.64e15);
const count = z.number().int().min(0);
const MAX_DAYS = 31;

const query = z.strictObject({
  from: instant,
  to: instant,
  groups: groupsText,
  figures: z.enum(['true', 'false']).optional(),
});

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
  dead: count,
  open: z.object({ pending: count, queued: count, running: count, late: count }),
});

/** The outcomes of the runs of a day or a month. */
export function reportRoutes(ring: TimeRing): AdminRoute[] {
  const kept = new Map<string, Kept>();
  return [
    adminRoute({
      method: 'GET',
      path: '/admin/report',
      summary:
        'Runs that ended in [from, to) by hour, the most failing and the slowest jobs unless figures is false, and what is open now',
      query,
      answers: { 200: { description: 'The report; hours without runs are left out', schema: report } },
      async answer({ query: { from, to, groups, figures } }) {
        if (to <= from || to - from > MAX_DAYS * 86_400_000)
          throw badOption('to', to, `after from, by at most ${MAX_DAYS} days`);
        const grounds = findGrounds(ring);
        if (grounds === undefined) throw new RequestProblem(501, 'no-report', 'This ring has no database of its own');
        const asked = {
          from,
          to,
          groups: groupNames(groups),
          hasFigures: figures !== 'false',
          now: grounds.clock.now(),
        };
        const { clock, database } = grounds;
        return json(
          await keptReport(kept, clock, JSON.stringify([from, to, groups, figures]), () =>
            sqlRunReport(database, asked),
          ),
        );
      },
    }),
  ];
}

interface Kept {
  readonly report: Promise<RunReport>;
  untilMs: number;
}

const MAX_KEPT = 100;
const MAX_KEPT_MS = 5_000;
/** A report is cached for this many times as long as it took, so that reports remain a small part of the database's load. */
const KEPT_FACTOR = 20;

/** All requests for the same report while it is being made, or shortly after, receive the same result. */
async function keptReport(
  kept: Map<string, Kept>,
  clock: Clock,
  key: string,
  make: () => Promise<RunReport>,
): Promise<RunReport> {
  const beganMs = clock.monotonicMs();
  const known = kept.get(key);
  if (known !== undefined && beganMs < known.untilMs) return known.report;
  const entry: Kept = { report: make(), untilMs: Infinity };
  kept.delete(key);
  kept.set(key, entry);
  if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value!);
  try {
    return await entry.report;
  } catch (error) {
    kept.delete(key);
    throw error;
  } finally {
    const tookMs = clock.monotonicMs() - beganMs;
    entry.untilMs = beganMs + tookMs + Math.min(MAX_KEPT_MS, tookMs * KEPT_FACTOR);
  }
}
