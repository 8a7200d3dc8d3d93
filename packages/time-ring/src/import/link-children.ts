import { MAX_CHILDREN } from '../schedule/parse-job.js';
import type { RowProblem } from './xxl-job-row.js';

/** The children that the jobs of an export can keep. */
export interface ChildLinks {
  /** By the id in the export. */
  readonly links: ReadonlyMap<number, readonly number[]>;
  /** The ids of all jobs, children before their parents. */
  readonly childrenFirst: readonly number[];
  readonly problems: readonly RowProblem[];
}

interface Parent {
  readonly xxlId: number;
  /** By their ids in the export. */
  readonly children: readonly number[];
}

interface Visit {
  readonly job: Parent;
  next: number;
}

const MAX_IDS_TOLD = 20;

/** Keeps the children that are also imported and close no cycle. Each child is visited once, however long the chains are. */
export function linkChildren(jobs: readonly Parent[]): ChildLinks {
  const byId = new Map(jobs.map((job) => [job.xxlId, job]));
  const links = new Map<number, number[]>(jobs.map(({ xxlId }) => [xxlId, []]));
  const problems = new Map<number, RowProblem[]>();
  const childrenFirst: number[] = [];
  /** The depth of a job in the current chain; -1 when everything below it has been visited. */
  const depths = new Map<number, number>();
  const chain: Visit[] = [];

  function enter(job: Parent): void {
    depths.set(job.xxlId, chain.length);
    chain.push({ job, next: 0 });
  }

  function report({ xxlId }: Parent, reason: string): void {
    const problem = { xxlId, reason };
    const others = problems.get(xxlId);
    if (others === undefined) problems.set(xxlId, [problem]);
    else others.push(problem);
  }

  function look(visit: Visit, child: number): void {
    const { job } = visit;
    const kept = links.get(job.xxlId)!;
    const target = byId.get(child);
    const depth = depths.get(child);
    if (target === undefined) report(job, `child ${child} is left out: it is not imported`);
    else if (depth !== undefined && depth >= 0)
      report(job, `child ${child} is left out: cycle ${cycleText(chain, depth)}`);
    else if (kept.length >= MAX_CHILDREN) {
      report(job, `child ${child} and those after it are left out: a job has at most ${MAX_CHILDREN} children`);
      visit.next = job.children.length;
    } else {
      kept.push(child);
      if (depth === undefined) enter(target);
    }
  }

  for (const job of jobs) {
    if (depths.has(job.xxlId)) continue;
    enter(job);
    while (chain.length > 0) {
      const visit = chain.at(-1)!;
      const child = visit.job.children[visit.next++];
      if (child !== undefined) look(visit, child);
      else {
        chain.pop();
        depths.set(visit.job.xxlId, -1);
        childrenFirst.push(visit.job.xxlId);
      }
    }
  }
  return {
    links,
    childrenFirst,
    problems: jobs.flatMap(({ xxlId }) => problems.get(xxlId) ?? []),
  };
}

function cycleText(chain: readonly Visit[], depth: number): string {
  const ids = chain.slice(depth, depth + MAX_IDS_TOLD).map(({ job }) => job.xxlId);
  const more = chain.length - depth > MAX_IDS_TOLD ? ['…'] : [];
  return [...ids, ...more, ids[0]].join(' -> ');
}
