import { expect, test } from 'vitest';
import { childCycle } from './child-cycle.js';
import { parseChange, parseJob } from './parse-job.js';

const sound = { name: 'report', handler: 'send', schedule: { kind: 'cron', expression: '0 0 9 ? * MON-FRI' } };

test('a job needs a name, a handler and a schedule; the rest has defaults', () => {
  expect(parseJob(sound)).toEqual({
    ...sound,
    params: null,
    misfire: 'DO_NOTHING',
    route: 'FIRST',
    block: 'SERIAL',
    concurrency: 1,
    timeoutMs: null,
    retries: 0,
    priority: 0,
    children: [],
    executorGroup: 'default',
  });
});

test.each([
  { story: 'no name', change: { name: '' }, code: 'bad-job', field: 'name' },
  { story: 'an unknown route', change: { route: 'NEAREST' }, code: 'bad-job', field: 'route' },
  { story: 'a field nobody knows', change: { prioritty: 3 }, code: 'bad-job', field: 'prioritty' },
  { story: 'half a retry', change: { retries: 0.5 }, code: 'bad-job', field: 'retries' },
  { story: 'params that are no JSON', change: { params: { at: () => 1 } }, code: 'bad-job', field: 'params' },
  {
    story: 'a rate under a second',
    change: { schedule: { kind: 'fix-rate', everyMs: 999 } },
    code: 'bad-schedule',
    field: 'schedule.everyMs',
  },
  {
    story: 'a broken expression',
    change: { schedule: { kind: 'cron', expression: '* * *' } },
    code: 'bad-schedule',
    field: 'schedule.expression',
  },
  {
    story: 'an expression of the other dialect',
    change: { schedule: { kind: 'cron', expression: '0 9 * * 1-5' } },
    code: 'bad-schedule',
    field: 'schedule.expression',
  },
  {
    story: 'an unknown zone',
    change: { schedule: { kind: 'cron', expression: '0 0 9 * * ?', zone: 'Mars/Olympus' } },
    code: 'bad-schedule',
    field: 'schedule.zone',
  },
  {
    story: 'a kind nobody knows',
    change: { schedule: { kind: 'sometimes' } },
    code: 'bad-schedule',
    field: 'schedule.kind',
  },
])('a job with $story is refused as $code, naming $field', ({ change, code, field }) => {
  expect(() => parseJob({ ...sound, ...change })).toThrow(
    expect.objectContaining({ code, details: expect.objectContaining({ field }) }),
  );
});

test('a change keeps what it does not name', () => {
  const before = parseJob({ ...sound, retries: 3 });
  expect(parseChange({ priority: 9, retries: undefined }, before)).toEqual({ ...before, priority: 9 });
  expect(() => parseChange(null, before)).toThrow(expect.objectContaining({ code: 'bad-job' }));
});

test('children that lead back to the job are found, with the way', () => {
  const families = new Map([
    [2, [3]],
    [3, [1]],
    [4, [4]],
  ]);
  const childrenOf = (id: number) => families.get(id) ?? [];
  expect(childCycle(1, [2], childrenOf)).toEqual([1, 2, 3, 1]);
  expect(childCycle(1, [1], childrenOf)).toEqual([1, 1]);
  expect(childCycle(5, [2, 3], childrenOf)).toBeNull();
  expect(childCycle(5, [4], childrenOf), 'a cycle elsewhere is not its own').toBeNull();
});
