import { expect, test } from 'vitest';
import { createScheduler } from '../../src/index.js';
import { checkTrace } from '../../src/trace.js';
import { createWorld, deferred, failing, taskEvents, timeOf } from '../support/world.js';

test('F1 F2 F3 S4: at the first start a task runs at once if and only if the current minute matches, at any second', async () => {
  const world = createWorld('2026-03-01T10:15:59.999Z');
  const { scheduler, watch } = world.scheduler();
  await scheduler.initialize([
    world.task('now', '15 10 * * *'),
    world.task('just-missed', '14 10 * * *'),
    world.task('soon', '16 10 * * *'),
  ]);
  expect(world.newRuns()).toEqual(['now boot 10:15:59.999']);
  const next = Object.fromEntries(
    watch.tasks().map(({ name, nextDueAt }) => [name, new Date(nextDueAt!).toISOString()]),
  );
  expect(next).toEqual({
    now: '2026-03-02T10:15:00.000Z',
    'just-missed': '2026-03-02T10:14:00.000Z',
    soon: '2026-03-01T10:16:00.000Z',
  });
  await world.clock.advanceBy(1);
  expect(world.newRuns()).toEqual(['soon cron 10:16:00']);
  await scheduler.stop();
});

test('T1: tasks are evaluated at every minute boundary, at its first millisecond, and nowhere else', async () => {
  const world = createWorld('2026-03-01T10:00:30Z');
  const { scheduler } = world.scheduler();
  await scheduler.initialize([world.task('a', '1-59 * * * *')]);
  await world.clock.advanceTo('2026-03-01T10:00:59.999Z');
  expect(world.newRuns()).toEqual([]);
  await world.clock.advanceBy(1);
  expect(world.newRuns()).toEqual(['a cron 10:01:00']);
  await world.clock.advanceTo('2026-03-01T11:30:00Z');
  expect(world.newRuns()).toHaveLength(58 + 30);
  await scheduler.stop();
});

test('T2 X1: tasks that are due together run in parallel', async () => {
  const world = createWorld('2026-03-01T10:00:30Z');
  const { scheduler } = world.scheduler();
  const gate = deferred();
  let running = 0;
  const work = async () => {
    running += 1;
    await gate.promise;
  };
  await scheduler.initialize([
    world.task('a', '* * * * *', { work }),
    world.task('b', '* * * * *', { work }),
    world.task('c', '* * * * *', { work }),
  ]);
  expect(running).toBe(3);
  gate.resolve();
  await scheduler.stop();
});

test('T3: cron is read in the zone of the host unless another is given', async () => {
  const world = createWorld('2026-07-01T12:00:00Z');
  const host = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const hour = Number(
    new Intl.DateTimeFormat('en-US', { timeZone: host, hour: 'numeric', hourCycle: 'h23' }).format(world.clock.now()),
  );
  const minute = Number(
    new Intl.DateTimeFormat('en-US', { timeZone: host, minute: 'numeric' }).format(world.clock.now()),
  );
  const local = createScheduler({ clock: world.clock });
  await local.initialize([world.task('local', `${minute} ${hour} * * *`)]);
  await local.stop();
  const abroad = world.scheduler({ zone: 'Asia/Kolkata' });
  await abroad.scheduler.initialize([world.task('abroad', '30 17 * * *')]);
  await abroad.scheduler.stop();
  expect(world.runs).toEqual(['local boot 12:00:00', 'abroad boot 12:00:00']);
});

test('N1: four occurrences missed in an hour of downtime are one run', async () => {
  const world = createWorld('2026-03-01T09:50:00Z');
  const tasks = [world.task('quarters', '0,15,30,45 * * * *')];
  const first = world.scheduler();
  await first.scheduler.initialize(tasks);
  await world.clock.advanceTo('2026-03-01T10:01:00Z');
  await first.scheduler.stop();
  world.newRuns();
  await world.clock.advanceTo('2026-03-01T11:07:00Z');
  const second = world.scheduler();
  await second.scheduler.initialize(tasks);
  await world.clock.advanceTo('2026-03-01T11:16:00Z');
  expect(world.newRuns()).toEqual(['quarters catch-up 11:07:00', 'quarters cron 11:15:00']);
  await second.scheduler.stop();
});

test.each([
  { story: 'minutes', down: '2026-03-01T10:05:00Z', expected: ['minutely catch-up', 'hourly -', 'daily -'] },
  { story: 'days', down: '2026-03-04T10:05:30Z', expected: ['minutely catch-up', 'hourly catch-up', 'daily catch-up'] },
  {
    story: 'months',
    down: '2026-09-04T10:05:30Z',
    expected: ['minutely catch-up', 'hourly catch-up', 'daily catch-up'],
  },
])('N1: downtime of $story gives each task at most one run', async ({ down, expected }) => {
  const world = createWorld('2026-03-01T10:01:00Z');
  const tasks = [
    world.task('minutely', '1-4 * * * *'),
    world.task('hourly', '30 * * * *'),
    world.task('daily', '0 3 * * *'),
  ];
  const first = world.scheduler();
  await first.scheduler.initialize(tasks);
  await first.scheduler.stop();
  world.newRuns();
  await world.clock.jumpTo(down);
  const second = world.scheduler();
  await second.scheduler.initialize(tasks);
  const counts = world.newRuns().map((run) => run.split(' ').slice(0, 2).join(' '));
  expect(expected.filter((row) => !row.endsWith('-'))).toEqual(counts);
  await second.scheduler.stop();
});

test('S4: a task that was registered and never ran catches up on what came after its registration, not before', async () => {
  const world = createWorld('2026-03-01T10:30:00Z');
  const tasks = [world.task('before', '0 10 * * *'), world.task('after', '0 11 * * *')];
  const first = world.scheduler();
  await first.scheduler.initialize(tasks);
  await first.scheduler.stop();
  await world.clock.advanceTo('2026-03-01T12:00:10Z');
  const second = world.scheduler();
  await second.scheduler.initialize(tasks);
  expect(world.runs).toEqual(['after catch-up 12:00:10']);
  await second.scheduler.stop();
});

test('K3: a failed task is retried when its delay is over, counted from its end, until it succeeds', async () => {
  const world = createWorld('2026-03-01T10:00:00Z');
  const { scheduler, watch } = world.scheduler();
  let left = 2;
  const attempts: number[] = [];
  const work = async ({ attempt }: { attempt: number }) => {
    attempts.push(attempt);
    await world.clock.sleepFor(2_000);
    if (left-- > 0) throw new Error('not yet');
  };
  await scheduler.initialize([world.task('a', '0 10 * * *', { retryMs: 30_500, work })]);
  await world.clock.advanceBy(2_000);
  expect(watch.tasks()[0]).toMatchObject({
    state: 'AwaitingRetry',
    pendingRetryUntil: Date.parse('2026-03-01T10:00:32.500Z'),
  });
  await world.clock.advanceBy(600_000);
  expect(world.runs).toEqual(['a boot 10:00:00', 'a retry 10:00:32.500', 'a retry 10:01:05']);
  expect(attempts).toEqual([1, 2, 3]);
  expect(taskEvents(watch.trace())).toEqual([
    'TaskRunStarted a boot',
    'TaskRunFailed a',
    'TaskRetryStarted a retry',
    'TaskRunFailed a',
    'TaskRetryStarted a retry',
    'TaskRunCompleted a',
  ]);
  expect(watch.tasks()[0]).toMatchObject({ state: 'AwaitingRun', pendingRetryUntil: null });
  await scheduler.stop();
});

test('K2 SP3: an attempt is a start, success and failure are ends', async () => {
  const world = createWorld('2026-03-01T10:00:00Z');
  const { scheduler, watch } = world.scheduler();
  let fails = true;
  const work = async () => {
    await world.clock.sleepFor(1_500);
    if (fails) throw new Error('first');
  };
  await scheduler.initialize([world.task('a', '0 10 * * *', { retryMs: 10_000, work })]);
  expect(watch.tasks()[0]).toMatchObject({
    state: 'Running',
    lastAttemptAt: Date.parse('2026-03-01T10:00:00Z'),
    lastSuccessAt: null,
    lastFailureAt: null,
  });
  fails = true;
  await world.clock.advanceBy(1_500);
  fails = false;
  await world.clock.advanceBy(11_500);
  expect(watch.tasks()[0]).toMatchObject({
    lastAttemptAt: Date.parse('2026-03-01T10:00:11.500Z'),
    lastFailureAt: Date.parse('2026-03-01T10:00:01.500Z'),
    lastSuccessAt: Date.parse('2026-03-01T10:00:13Z'),
    nextDueAt: Date.parse('2026-03-02T10:00:00Z'),
  });
  await scheduler.stop();
});

test('K4 S5: a new occurrence supersedes a pending retry: preempted, then one cron run', async () => {
  const world = createWorld('2026-03-01T10:00:00Z');
  const { scheduler, watch } = world.scheduler();
  await scheduler.initialize([world.task('a', '0,5 * * * *', { retryMs: 600_000, work: failing() })]);
  await world.clock.advanceTo('2026-03-01T10:09:00Z');
  expect(world.runs).toEqual(['a boot 10:00:00', 'a cron 10:05:00']);
  expect(taskEvents(watch.trace()).slice(1, 4)).toEqual([
    'TaskRunFailed a',
    'TaskRetryPreempted a',
    'TaskRunStarted a cron',
  ]);
  expect(watch.tasks()[0]!.pendingRetryUntil, 'the retry of the second failure').toBe(
    Date.parse('2026-03-01T10:15:00Z'),
  );
  await scheduler.stop();
});

test('S5 SP2: an exact tie of cron and retry is one run, told as preempted and started by cron', async () => {
  const world = createWorld('2026-03-01T10:00:00Z');
  const { scheduler, watch } = world.scheduler();
  await scheduler.initialize([world.task('a', '0,5 * * * *', { retryMs: 300_000, work: failing() })]);
  await world.clock.advanceTo('2026-03-01T10:05:30Z');
  expect(world.runs).toEqual(['a boot 10:00:00', 'a cron 10:05:00']);
  expect(taskEvents(watch.trace()).slice(2, 4)).toEqual(['TaskRetryPreempted a', 'TaskRunStarted a cron']);
  await scheduler.stop();
});

test.each([
  { story: 'succeeded', fails: false, events: ['TaskRunCompleted a', 'TaskRunStarted a catch-up'] },
  { story: 'failed', fails: true, events: ['TaskRunFailed a', 'TaskRetryPreempted a', 'TaskRunStarted a catch-up'] },
])(
  'S5 X2: a run that overlaps its next occurrences and $story is followed at once by exactly one catch-up run',
  async ({ fails, events }) => {
    const world = createWorld('2026-03-01T10:00:00Z');
    const { scheduler, watch } = world.scheduler();
    let isFirst = true;
    const work = async () => {
      if (!isFirst) return;
      isFirst = false;
      await world.clock.sleepFor(200_000);
      if (fails) throw new Error('late');
    };
    await scheduler.initialize([world.task('a', '* * * * *', { retryMs: 10_000, work })]);
    await world.clock.advanceTo('2026-03-01T10:04:30Z');
    expect(world.runs).toEqual(['a boot 10:00:00', 'a catch-up 10:03:20', 'a cron 10:04:00']);
    expect(taskEvents(watch.trace()).slice(1, 1 + events.length)).toEqual(events);
    expect(checkTrace(watch.trace(), { zone: 'UTC' })).toEqual([]);
    await scheduler.stop();
  },
);

test('X2: a task that never ends is never started a second time', async () => {
  const world = createWorld('2026-03-01T10:00:00Z');
  const { scheduler } = world.scheduler();
  const work = deferred();
  await scheduler.initialize([world.task('a', '* * * * *', { work: () => work.promise })]);
  await world.clock.advanceBy(86_400_000);
  expect(world.runs).toEqual(['a boot 10:00:00']);
  work.resolve();
  await scheduler.stop();
});

test('X8: a failing task affects no other', async () => {
  const world = createWorld('2026-03-01T10:00:00Z');
  const { scheduler } = world.scheduler();
  await scheduler.initialize([
    world.task('throws', '* * * * *', { work: failing() }),
    world.task('rejects', '* * * * *', { work: () => Promise.reject(new Error('no')) }),
    world.task('throws nothing', '* * * * *', { work: () => Promise.reject() }),
    world.task('works', '* * * * *'),
  ]);
  await world.clock.advanceTo('2026-03-01T10:03:00Z');
  expect(world.runs.filter((run) => run.startsWith('works'))).toHaveLength(4);
  await scheduler.stop();
});

test('S9 SP6: constant failure with delay 0 is tried once a second and never spins', async () => {
  const world = createWorld('2026-03-01T10:00:00Z');
  const { scheduler } = world.scheduler();
  await scheduler.initialize([world.task('a', '0 10 * * *', { retryMs: 0, work: failing() })]);
  await world.clock.advanceBy(999);
  expect(world.newRuns()).toEqual(['a boot 10:00:00']);
  await world.clock.advanceBy(4_001);
  expect(world.newRuns()).toEqual([1, 2, 3, 4, 5].map((second) => `a retry 10:00:0${second}`));
  await scheduler.stop();
});

test('SP6: a delay of one millisecond is kept to the millisecond', async () => {
  const world = createWorld('2026-03-01T10:00:00Z');
  const { scheduler } = world.scheduler();
  await scheduler.initialize([world.task('a', '0 10 * * *', { retryMs: 1, work: failing() })]);
  await world.clock.advanceBy(3);
  expect(world.runs).toHaveLength(4);
  await scheduler.stop();
});

test('a time limit aborts the run and counts as a failure at the limit', async () => {
  const world = createWorld('2026-03-01T10:00:00Z');
  const { scheduler, watch } = world.scheduler({ taskTimeout: 5_000 });
  let reason: unknown;
  const work = ({ signal }: { signal: AbortSignal }) =>
    new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => {
        reason = signal.reason;
        resolve();
      });
    });
  await scheduler.initialize([
    world.task('slow', '0 10 * * *', { retryMs: 10_000, work }),
    world.task('quick', '0 10 * * *'),
  ]);
  await world.clock.advanceBy(5_000);
  expect(reason).toMatchObject({ name: 'TaskTimeoutError', details: { taskName: 'slow', timeoutMs: 5_000 } });
  expect(watch.tasks()).toMatchObject([
    { state: 'AwaitingRetry', lastFailureAt: Date.parse('2026-03-01T10:00:05Z'), lastSuccessAt: null },
    { state: 'AwaitingRun', lastFailureAt: null },
  ]);
  await world.clock.advanceBy(10_000);
  expect(world.runs.at(-1)).toBe('slow retry 10:00:15');
  const stopped = scheduler.stop();
  await world.clock.advanceBy(5_000);
  await stopped;
});

test('SP6: a timed-out task does not start again before its callback settles', async () => {
  const world = createWorld('2026-03-01T10:00:00Z');
  const { scheduler, watch } = world.scheduler({ taskTimeout: 5_000 });
  const deaf = deferred();
  let isFirst = true;
  const work = () => {
    if (!isFirst) return undefined;
    isFirst = false;
    return deaf.promise;
  };
  await scheduler.initialize([world.task('a', '0 10 * * *', { retryMs: 1_000, work })]);
  await world.clock.advanceBy(60_000);
  expect(world.runs).toEqual(['a boot 10:00:00']);
  expect(watch.tasks()[0]!.state).toBe('AwaitingRetry');
  deaf.resolve();
  await world.clock.settle();
  expect(world.runs).toEqual(['a boot 10:00:00', 'a retry 10:01:00']);
  await scheduler.stop();
});

test('concurrency bounds callbacks at once; the others wait their turn in order', async () => {
  const world = createWorld('2026-03-01T10:00:00Z');
  const { scheduler } = world.scheduler({ concurrency: 2 });
  let running = 0;
  let most = 0;
  const work = async () => {
    most = Math.max(most, ++running);
    await world.clock.sleepFor(10_000);
    running -= 1;
  };
  await scheduler.initialize(['a', 'b', 'c', 'd', 'e'].map((name) => world.task(name, '0 10 * * *', { work })));
  await world.clock.advanceBy(30_000);
  expect(world.runs).toEqual([
    'a boot 10:00:00',
    'b boot 10:00:00',
    'c boot 10:00:10',
    'd boot 10:00:10',
    'e boot 10:00:20',
  ]);
  expect(most).toBe(2);
  await scheduler.stop();
});

test('the callback is told its task, its attempt, its due time, its reason and its signal', async () => {
  const world = createWorld('2026-03-01T10:00:30Z');
  const { scheduler } = world.scheduler();
  const seen: object[] = [];
  await scheduler.initialize([world.task('a', '0 10 * * *', { work: (context) => void seen.push(context) })]);
  expect(seen).toEqual([
    {
      taskName: 'a',
      attempt: 1,
      dueAt: Date.parse('2026-03-01T10:00:00Z'),
      reason: 'boot',
      signal: expect.any(AbortSignal),
    },
  ]);
  await scheduler.stop();
});

test('D1: the same registrations, state and clock give the same decisions', async () => {
  const decisions = async () => {
    const world = createWorld('2026-03-01T09:59:00Z');
    const { scheduler, watch } = world.scheduler();
    await scheduler.initialize([
      world.task('a', '*'.concat(' * * * *'), { work: failing(), retryMs: 20_000 }),
      world.task('b', '0,7 * * * *'),
      world.task('c', '1-9 10 * * 0', { work: () => world.clock.sleepFor(150_000) }),
    ]);
    await world.clock.advanceTo('2026-03-01T10:20:00Z');
    const stopped = scheduler.stop();
    await world.clock.advanceBy(150_000);
    await stopped;
    return JSON.stringify(watch.trace());
  };
  expect(await decisions()).toBe(await decisions());
});

test('explain says why a task starts or not, as data and as a sentence', async () => {
  const world = createWorld('2026-03-01T10:00:30Z');
  const { scheduler, watch } = world.scheduler();
  const slow = deferred();
  await scheduler.initialize([
    world.task('later', '0 12 * * *'),
    world.task('broken', '0 10 * * *', { retryMs: 90_000, work: failing() }),
    world.task('slow', '* * * * *', { work: () => slow.promise }),
  ]);
  expect(watch.explain('later')).toMatchObject({
    wouldRun: false,
    reason: null,
    nextDueAt: Date.parse('2026-03-01T12:00:00Z'),
  });
  const asked = [
    watch.explain('later').sentence,
    watch.explain('later', Date.parse('2026-03-01T12:00:10Z')).sentence,
    watch.explain('later', Date.parse('2026-03-01T15:00:10Z')).sentence,
    watch.explain('broken').sentence,
    watch.explain('broken', Date.parse('2026-03-01T10:02:00Z')).sentence,
    watch.explain('slow').sentence,
    watch.explain('slow', Date.parse('2026-03-01T10:02:00Z')).sentence,
  ];
  expect(asked).toEqual([
    'later does not start at 2026-03-01T10:00:30.000Z: its next occurrence is 2026-03-01T12:00:00.000Z.',
    'later starts at 2026-03-01T12:00:10.000Z: "0 12 * * *" matches the minute of 2026-03-01T12:00:00.000Z and nothing has run for it yet.',
    'later starts at 2026-03-01T15:00:10.000Z: "0 12 * * *" was due at 2026-03-01T12:00:00.000Z and could not start then; one run stands for everything missed.',
    'broken does not start at 2026-03-01T10:00:30.000Z: its retry is due at 2026-03-01T10:02:00.000Z and its next occurrence is 2026-03-02T10:00:00.000Z.',
    'broken starts at 2026-03-01T10:02:00.000Z: its latest run failed and the retry delay was over at 2026-03-01T10:02:00.000Z.',
    'slow does not start at 2026-03-01T10:00:30.000Z: it is running since 2026-03-01T10:00:30.000Z and never runs twice at once.',
    'slow does not start at 2026-03-01T10:02:00.000Z: it is running since 2026-03-01T10:00:30.000Z and never runs twice at once; one catch-up run follows at once.',
  ]);
  slow.resolve();
  await scheduler.stop();
});

test('RT1: a start that is later than the target is logged, one in time is not', async () => {
  const world = createWorld('2026-03-01T10:00:00Z');
  const warnings: object[] = [];
  const log = { debug() {}, info() {}, error() {}, warn: (facts: object) => void warnings.push(facts) };
  const { scheduler } = world.scheduler({ concurrency: 1, log });
  const work = () => world.clock.sleepFor(90_000);
  await scheduler.initialize([world.task('first', '0 10 * * *', { work }), world.task('second', '0 10 * * *')]);
  await world.clock.advanceBy(100_000);
  expect(warnings).toEqual([{ taskName: 'second', lateMs: 90_000, boundMs: 60_000 }]);
  expect(timeOf(world.clock.now())).toBe('10:01:40');
  await scheduler.stop();
});
