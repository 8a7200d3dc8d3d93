import { expect } from 'vitest';
import { checkHistory } from './check-history.js';
import type { HistoryPlan } from './history-plan.js';
import { runHistory } from './run-history.js';

export const HISTORIES = process.env.HORAE_LONG ? 25_000 : 1_000;
const FIRST_SEED = process.env.HORAE_SEED ?? 'ring';

/** Runs random histories and expects that none breaks a promise, and that everything has happened in them. A failure prints its seed. */
export async function expectLegalHistories(claim: HistoryPlan['claim']): Promise<void> {
  const seen = new Set<string>();
  for (let i = 0; i < HISTORIES; i++) {
    const seed = `${FIRST_SEED} ${i}`;
    const history = await runHistory(seed, { claim });
    expect(checkHistory(history), `runHistory(${JSON.stringify(seed)}, { claim: '${claim}' })`).toEqual([]);
    for (const event of history.events) {
      if (event.kind === 'told') seen.add(event.told.name);
      else if (event.kind === 'change') seen.add(event.change.kind);
      else seen.add(event.kind);
    }
    for (const { triggerType, state, message } of history.rows) {
      seen.add(triggerType).add(state);
      if (message !== null) seen.add(message.split(/[ :]/)[0]!);
    }
  }
  // The histories are worth something only if everything happens in them.
  const rare = ['Discarded', 'Covered', 'Killed', 'received', 'parked', 'postponed', 'run-waiting'];
  const faults = [
    'crash',
    'stall',
    'step',
    'leave',
    'pass-failed',
    'result-refused',
    'taken',
    'handed-back',
    'withdrawn',
  ];
  const runs = ['schedule', 'misfire', 'manual', 'retry', 'child', 'succeeded', 'failed', 'killed', 'skipped'];
  for (const what of [...rare, ...faults, ...runs, 'job-misfired']) expect(seen, what).toContain(what);
}
