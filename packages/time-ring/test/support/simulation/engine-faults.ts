import type { PlantedFault } from '@horae-tooling/planting';

/** A mistake in the engine, and the rules of which a history with it breaks one. */
export interface EngineFault extends PlantedFault {
  readonly story: string;
  readonly rules: readonly string[];
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
    file: 'run-keeper.ts',
    code: 'scheduleTime > at)',
    instead: 'scheduleTime > at + 1_000)',
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
    file: 'silence.ts',
    code: 'return now - beatAt > leaseMs;',
    instead: 'return false;',
    rules: ['no-lost-run', 'takeover'],
  },
  {
    story: 'takes nodes for dead after a tenth of a lease',
    file: 'silence.ts',
    code: 'return now - beatAt > leaseMs;',
    instead: 'return now - beatAt > leaseMs / 10;',
    rules: ['takeover', 'calm'],
  },
  {
    story: 'never looks for what a lost answer has left',
    file: 'run-keeper.ts',
    code: 'if (!isInDoubt) return;',
    instead: 'return;',
    rules: ['no-lost-run'],
  },
  {
    story: 'forgets runs that could not be handed out',
    file: 'dispatcher.ts',
    code: '  doubt();\n}',
    instead: '}',
    rules: ['no-lost-run'],
  },
  {
    story: 'begins a run that it could not write as handed out',
    file: 'dispatcher.ts',
    code: 'if (ids === null) {',
    instead: 'ids ??= [];\n  if (false) {',
    rules: ['fence', 'one-start', 'withdrawn', 'one-completion', 'kill'],
  },
  {
    story: 'gives up results that could not be written at once',
    file: 'recorder.ts',
    code: 'if (abandoned.signal.aborted) {',
    instead: 'if (attempt > 0) {',
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
    file: 'fire-runs.ts',
    code: 'length: shardTotal - 1',
    instead: 'length: Math.max(0, shardTotal - 2)',
    rules: ['shards'],
  },
  {
    story: 'takes runs while others have removed it as dead',
    file: 'insert-runs.ts',
    code: 'await trx.keepNode({ owner, nodeId: options.nodeId, beatAt: time.now() });',
    instead: '',
    rules: ['no-lost-run'],
  },
];
