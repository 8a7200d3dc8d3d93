import { expect, test } from 'vitest';
import type { TaskRecord, TaskStore, TraceEvent } from '../../src/index.js';
import { checkTrace } from '../../src/trace.js';
import { type History, type HistoryOptions, randomHistory } from '../support/history.js';

const HISTORIES = process.env.HORAE_LONG ? 50_000 : 2_000;
const FIRST_SEED = process.env.HORAE_SEED ?? 'history';

test(`${HISTORIES} random histories of failures, outages, clock steps, restarts and crashes are legal`, async () => {
  const seen = new Set<string>();
  for (let i = 0; i < HISTORIES; i++) {
    const seed = `${FIRST_SEED} ${i}`;
    const { trace, options } = await randomHistory(seed);
    for (const { event, reason } of trace) seen.add(reason === undefined ? event : `${event} ${reason}`);
    expect(checkTrace(trace, options), `seed "${seed}"`).toEqual([]);
  }
  // The histories are worth something only if everything happens in them.
  for (const event of [
    'Crash',
    'StoreFailed',
    'SchedulerStopped deadline',
    'TaskRunStarted boot',
    'TaskRunStarted cron',
    'TaskRunStarted catch-up',
    'TaskRunStarted orphan',
    'TaskRetryStarted retry',
    'TaskRetryPreempted',
    'TaskRunCompleted',
    'TaskRunFailed',
  ]) {
    expect(seen, event).toContain(event);
  }
});

/** Rules that a scheduler on a lying store breaks, over many histories. */
async function rulesBroken(broken: HistoryOptions, histories = 50): Promise<Set<string>> {
  const rules = new Set<string>();
  for (let i = 0; i < histories; i++) {
    const { trace, options } = await randomHistory(`planted ${i}`, broken);
    for (const { rule } of checkTrace(trace, options)) rules.add(rule);
  }
  return rules;
}

const changing =
  (change: (record: TaskRecord) => TaskRecord) =>
  (store: TaskStore): TaskStore => ({
    ...store,
    load: async () => (await store.load()).map((record) => change(record as TaskRecord)),
  });

test.each([
  {
    story: 'forgets that a run was under way',
    breakStore: changing((record) => ({ ...record, runningSchedulerId: null })),
    rule: 'orphan-restarts-first',
  },
  {
    story: 'believes that every run was left unfinished',
    breakStore: changing((record) => ({ ...record, runningSchedulerId: 'a ghost' })),
    rule: 'orphan-once',
  },
  {
    story: 'forgets the last hour of what was handled',
    breakStore: changing((record) => ({ ...record, handledUntil: record.handledUntil - 3_600_000 })),
    rule: 'make-up-run',
  },
  {
    story: 'counts everything as handled after a restart',
    breakStore: changing((record) => ({
      ...record,
      handledUntil: record.handledUntil + 86_400_000,
      pendingRetryUntil: null,
    })),
    rule: 'never-started',
  },
  {
    story: 'brings retries forward',
    breakStore: changing((record) => ({ ...record, pendingRetryUntil: record.pendingRetryUntil && 0 })),
    rule: 'retry-too-early',
  },
])('a scheduler that $story is caught', async ({ breakStore, rule }) => {
  expect(await rulesBroken({ breakStore })).toContain(rule);
});

/** A legal trace of one session with everything in it, to be broken by hand. */
async function legalTrace(): Promise<History> {
  for (let i = 0; i < 500; i++) {
    const history = await randomHistory(`legal ${i}`);
    const names = new Set(history.trace.map(({ event }) => event));
    if (
      ['TaskRetryStarted', 'TaskRetryPreempted', 'SchedulerStopped', 'TaskRunCompleted', 'Crash'].every((name) =>
        names.has(name as never),
      )
    )
      return history;
  }
  throw new Error('no history has everything');
}

const legal = legalTrace();

const index = (trace: readonly TraceEvent[], isIt: (event: TraceEvent) => boolean) => {
  const found = trace.findIndex(isIt);
  expect(found).toBeGreaterThanOrEqual(0);
  return found;
};
const isStart = ({ event }: TraceEvent) => event === 'TaskRunStarted' || event === 'TaskRetryStarted';
const isEnd = ({ event }: TraceEvent) => event === 'TaskRunCompleted' || event === 'TaskRunFailed';

test.each<{ story: string; break(trace: TraceEvent[]): void; rule: string }>([
  {
    story: 'a task starts twice',
    break: (trace) => void trace.splice(index(trace, isStart), 0, trace[index(trace, isStart)]!),
    rule: 'overlap',
  },
  {
    story: 'a task ends twice',
    break: (trace) => void trace.splice(index(trace, isEnd), 0, trace[index(trace, isEnd)]!),
    rule: 'end-without-start',
  },
  {
    story: 'a task starts before the scheduler is initialized',
    break: (trace) => void trace.splice(1, 0, { ...trace[index(trace, isStart)]!, at: trace[0]!.at }),
    rule: 'start-while-inactive',
  },
  {
    story: 'the scheduler stops while a task runs',
    break: (trace) => {
      const stopped = index(trace, ({ event }) => event === 'SchedulerStopped');
      const { reason: _, ...plain } = trace[stopped]!;
      const start = { ...trace[index(trace, isStart)]!, at: plain.at };
      trace.splice(stopped, 1, start, plain);
    },
    rule: 'stop-before-quiescence',
  },
  {
    story: 'something happens after a crash',
    break: (trace) =>
      void trace.splice(index(trace, ({ event }) => event === 'Crash') + 1, 0, trace[index(trace, isEnd)]!),
    rule: 'nothing-after-crash',
  },
  {
    story: 'a task that nobody registered runs',
    break: (trace) =>
      void trace.splice(index(trace, isStart), 0, { ...trace[index(trace, isStart)]!, taskName: 'stranger' }),
    rule: 'unregistered-task',
  },
  {
    story: 'a preemption is not told',
    break: (trace) =>
      void trace.splice(
        index(trace, ({ event }) => event === 'TaskRetryPreempted'),
        1,
      ),
    rule: 'preemption-untold',
  },
  {
    story: 'a preempted retry starts all the same',
    break: (trace) => {
      const preempted = index(trace, ({ event }) => event === 'TaskRetryPreempted');
      trace[preempted + 1] = { ...trace[preempted + 1]!, event: 'TaskRetryStarted' };
    },
    rule: 'preempted-retry-started',
  },
  {
    story: 'the scheduler is told to be initialized twice',
    break: (trace) =>
      void trace.splice(index(trace, isStart), 0, { ...trace[0]!, event: 'SchedulerInitializationCompleted' }),
    rule: 'lifecycle-order',
  },
])('a trace in which $story is caught', async ({ break: damage, rule }) => {
  const { trace, options } = await legal;
  expect(checkTrace(trace, options)).toEqual([]);
  const damaged = [...trace];
  damage(damaged);
  const verdicts = checkTrace(damaged, options);
  expect(verdicts.map((verdict) => verdict.rule)).toContain(rule);
  expect(verdicts.every(({ message, index: at }) => message.length > 10 && damaged[at] !== undefined)).toBe(true);
});
