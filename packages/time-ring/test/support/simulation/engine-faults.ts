import type { PlantedFault } from '@horae-tooling/planting';

/** A mistake in the engine, and the rules of which a history with it breaks one. */
export interface EngineFault extends PlantedFault {
  readonly story: string;
  readonly rules: readonly string[];
  /** Where the histories begin that find it soonest. */
  readonly seed?: string;
}

export const engineFaults: readonly EngineFault[] = [
  {
    story: 'claims the first occurrence of a window only',
    file: 'plan-job.ts',
    code: 'at = timetable.next(at);\n  }',
    instead: 'at = timetable.next(windowEnd);\n  }',
    rules: ['due-set'],
  },
  {
    story: 'fires a second early',
    file: 'intake.ts',
    code: 'classifyDue(at, scheduleTime!)',
    instead: 'classifyDue(at + 1_000, scheduleTime!)',
    rules: ['not-early'],
  },
  {
    story: 'loses what the ring gives as stale',
    file: 'ring-drain.ts',
    code: '[...stale, ...due]',
    instead: 'due',
    rules: ['no-lost-run', 'due-set'],
  },
  {
    story: 'leaves the runs of dead nodes',
    file: 'liveness.ts',
    code: 'return now - beatAt > leaseMs;',
    instead: 'return false;',
    rules: ['no-lost-run', 'takeover'],
  },
  {
    story: 'takes nodes for dead after a tenth of a lease',
    file: 'liveness.ts',
    code: 'return now - beatAt > leaseMs;',
    instead: 'return now - beatAt > leaseMs / 10;',
    rules: ['takeover', 'calm'],
  },
  {
    story: 'never looks for what a lost answer has left',
    file: 'owned-runs.ts',
    code: 'if (!this.isUncertain) return;',
    instead: 'return;',
    rules: ['no-lost-run'],
  },
  {
    story: 'forgets runs that could not be dispatched',
    file: 'dispatcher.ts',
    code: '  owned.markUncertain();\n}',
    instead: '}',
    rules: ['no-lost-run'],
  },
  {
    story: 'begins a run that it could not write as dispatched',
    file: 'dispatcher.ts',
    code: "written.kind === 'done' && each.kind === 'placed'",
    instead: "each.kind === 'placed'",
    rules: ['fence', 'one-start', 'withdrawn', 'one-completion', 'kill'],
  },
  {
    story: 'gives up results that could not be written at once',
    file: 'recorder.ts',
    code: 'signal: abandoned.signal, onFailure',
    instead: 'signal: AbortSignal.abort(), onFailure',
    rules: ['no-lost-run'],
  },
  {
    story: 'retries once too seldom',
    file: 'write-ends.ts',
    code: 'row.attempt <= job.retries',
    instead: 'row.attempt < job.retries',
    rules: ['retries'],
  },
  {
    story: 'spreads a broadcast to one executor too few',
    file: 'write-dispatch.ts',
    code: 'length: shardTotal - 1',
    instead: 'length: Math.max(0, shardTotal - 2)',
    rules: ['shards'],
  },
  {
    story: 'never looks what was handed over to it',
    file: 'handover-watch.ts',
    code: 'if (!(await node.store.hasHandovers(node.owner))) return;',
    instead: 'return;',
    rules: ['no-lost-run', 'due-set', 'trigger'],
  },
  {
    story: 'never takes what waits',
    file: 'waiting-runs.ts',
    code: 'if (limit > 0 && !node.isStopping) await takeOf(job, limit, due.get(jobId)!);',
    instead: '',
    rules: ['no-lost-run', 'trigger'],
  },
  {
    story: 'retries at once',
    file: 'intake.ts',
    code: 'classifyDue(at, dueAt)',
    instead: 'classifyDue(at + 1e9, dueAt)',
    rules: ['not-early'],
  },
  {
    story: 'counts what is to be tried later as an attempt',
    file: 'write-ends.ts',
    code: 'row.postponed < (jobs.get(row.jobId)?.retries ?? 0)',
    instead: 'false',
    rules: ['later'],
  },
];
