import { expect, test } from 'vitest';
import type { TaskStore } from '../../src/index.js';
import { checkTrace } from '../../src/trace.js';
import { type InstancesOptions, instancesHistory } from '../support/instances-history.js';

const HISTORIES = process.env.HORAE_LONG ? 20_000 : 400;
const FIRST_SEED = process.env.HORAE_SEED ?? 'instances';

test(`I14: ${HISTORIES} histories of two and three instances, killed, frozen, deployed and cut off, are legal`, {
  timeout: 600_000 + 2_000 * HISTORIES,
}, async () => {
  const seen = new Set<string>();
  for (let i = 0; i < HISTORIES; i++) {
    const seed = `${FIRST_SEED} ${i}`;
    const trace = await instancesHistory(seed);
    for (const { event, reason, role } of trace) seen.add([event, reason ?? role].filter(Boolean).join(' '));
    expect(checkTrace(trace, { zone: 'UTC' }), `seed "${seed}"`).toEqual([]);
  }
  for (const event of [
    'Crash',
    'SchedulerRoleChanged leader',
    'SchedulerRoleChanged standby',
    'TaskRunStarted orphan',
    'TaskRunStarted manual',
    'TaskRunStarted cron',
    'TaskPaused',
    'TaskResumed',
    'StoreFailed',
  ]) {
    expect(seen, event).toContain(event);
  }
});

/** Rules that instances on a lying store break, over a few histories. */
async function rulesBroken(broken: InstancesOptions): Promise<Set<string>> {
  const rules = new Set<string>();
  for (let i = 0; i < 8; i++) {
    const trace = await instancesHistory(`planted ${i}`, broken);
    for (const { rule } of checkTrace(trace, { zone: 'UTC' })) rules.add(rule);
  }
  return rules;
}

test.each([
  {
    story: 'a store that grants every claim',
    breakStore: (store: TaskStore): TaskStore => ({
      ...store,
      claim: async () => ({
        kind: 'granted',
        lease: { namespace: 'memory', fence: 1, renew: async () => true, release: async () => {} },
      }),
      save: (records) => store.save(records),
      apply: (changed) => store.apply(changed),
    }),
    rule: 'start-while-not-leading',
  },
  {
    story: 'a takeover that forgets the runs of the one before',
    breakStore: (store: TaskStore): TaskStore => ({
      ...store,
      load: async () => (await store.load()).map((record) => ({ ...(record as object), runningSchedulerId: null })),
    }),
    rule: 'orphan-restarts-first',
  },
])('instances on $story are caught', { timeout: 120_000 }, async ({ breakStore, rule }) => {
  expect([...(await rulesBroken({ breakStore }))]).toContain(rule);
});
