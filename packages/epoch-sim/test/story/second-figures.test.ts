import { describe, expect, test } from 'vitest';
import { studentQuantile } from '../../src/experiment/student.js';
import {
  barsCsv,
  type EpochInput,
  eventsCsv,
  figuresCsv,
  InvalidEpoch,
  queueLengths,
  renderGantt,
  renderReport,
  replicate,
  runEpoch,
  runEpochs,
  summarize,
  sweep,
} from '../../src/index.js';

const start_at = '2025-07-01T08:00:00';
const use = { base_duration_min: 10, locks: ['tool'], resources: [{ name: 'oil', amount: 2 }] };
const actions_submitted = ['A', 'B', 'C'].map((id) => ({ id, actor: `${id}, "x"`, verb: 'use', submitted_at: 0 }));
const input: EpochInput = {
  epoch: { index: 0, start_at, end_at: 60 },
  action_defs: { use },
  actions_submitted,
  resources: { oil: 5 },
};
const crowd: EpochInput = {
  epoch: { index: 0, start_at, end_at: 600 },
  lock_defs: { desk: { capacity: 1 } },
  action_defs: { serve: { base_duration_min: { kind: 'exponential', mean: 8 }, locks: ['desk'] } },
  arrivals: [{ verb: 'serve', every: { kind: 'exponential', mean: 10 }, id: 'c{n}' }],
  actions_submitted: [],
};

describe('7: figures', () => {
  test('utilisation, queue, waits, durations, counts and stocks are what a hand would count', () => {
    const summary = summarize(runEpoch(input));
    // C finds no oil: two of three are served, and B waits for ten minutes.
    expect(summary).toEqual({
      from: 0,
      to: 60,
      locks: { tool: { capacity: 1, utilisation: 20 / 60, queue_mean: 10 / 60, queue_max: 1, down_min: 0 } },
      verbs: {
        use: {
          started: 2,
          ended: 2,
          rejected: 1,
          cancelled: 0,
          throughput_per_hour: 2,
          wait: { count: 2, mean: 5, p50: 0, p90: 10, p99: 10, max: 10 },
          duration: { count: 2, mean: 10, p50: 10, p90: 10, p99: 10, max: 10 },
        },
      },
      resources: {
        oil: {
          mean: (5 * 10 + 3 * 10 + 1 * 40) / 60,
          min: 1,
          max: 5,
          end: 1,
          points: [
            [0, 5],
            [10, 3],
            [20, 1],
          ],
        },
      },
    });
  });

  test('a warm-up leaves out what was before it, and several epochs are one line of time', () => {
    const late = summarize(runEpoch(input), { warm_up_min: 15 });
    expect(late.locks.tool!.utilisation).toBeCloseTo(5 / 45);
    expect(late.verbs.use).toMatchObject({ started: 0, ended: 1, wait: { count: 0, mean: null } });
    const whole = summarize(runEpoch({ ...crowd, epoch: { ...crowd.epoch, end_at: 600 } }));
    const parts = summarize(runEpochs({ ...crowd, epoch: { ...crowd.epoch, end_at: 60 } }, 10));
    expect(parts).toEqual(whole);
  });

  test('a shallow copy of a result has the same figures', () => {
    const result = runEpoch(crowd);
    const copy = { ...result };
    expect(summarize(copy)).toEqual(summarize(result));
    expect(barsCsv(copy)).toBe(barsCsv(result));
    expect(queueLengths([copy])).toEqual(queueLengths(result));
    expect(renderReport(copy)).toBe(renderReport(result));
    expect(() => summarize([])).toThrow(InvalidEpoch);
    expect(() => summarize(null as never)).toThrow(InvalidEpoch);
  });

  test.each([
    ['JSON', (value: unknown) => JSON.parse(JSON.stringify(value))],
    ['structuredClone', (value: unknown) => structuredClone(value)],
  ])('results that went through %s have the same figures with the input they were made from', (_way, copyOf) => {
    const options = { seed: 'copy' };
    const results = runEpochs({ ...crowd, epoch: { ...crowd.epoch, end_at: 200 } }, 3, options);
    const copies = copyOf(results) as typeof results;
    const source = { input: { ...crowd, epoch: { ...crowd.epoch, end_at: 200 } }, options };
    expect(summarize(copies, { ...source, warm_up_min: 30 })).toEqual(summarize(results, { warm_up_min: 30 }));
    expect(barsCsv(copies, source)).toBe(barsCsv(results));
    expect(queueLengths(copies, source)).toEqual(queueLengths(results));
    expect(renderReport(copies, source)).toBe(renderReport(results));
    expect(renderGantt(copies[0]!, { ...source, lanes: 'lock' })).toBe(renderGantt(results[0]!, { lanes: 'lock' }));
    const first = runEpoch(input);
    expect(summarize(copyOf(first) as typeof first, { input: [input] })).toEqual(summarize(first));
  });

  test('a deep copy without its input, or with another one, is refused by name and with a short value', () => {
    const copy = structuredClone(runEpoch(crowd));
    const refusal = (act: () => unknown): unknown => {
      try {
        return act();
      } catch (error) {
        return error;
      }
    };
    for (const act of [
      () => summarize(copy),
      () => barsCsv(copy),
      () => renderReport(copy),
      () => queueLengths(copy),
    ]) {
      expect(refusal(act)).toMatchObject({ code: 'InvalidEpoch', details: { field: 'results', value: 'a copy' } });
    }
    const other = refusal(() => summarize(copy, { input: crowd, options: { seed: 'another' } })) as Error;
    expect(other).toMatchObject({ code: 'InvalidEpoch', details: { field: 'input' } });
    expect(other.message).toContain('give the input and the options that the result was made from');
    expect(() => summarize([copy, copy], { input: [crowd] })).toThrow(InvalidEpoch);
  });

  test('run i of a replication is runEpoch with the seed `<seed>:<i>`; estimates have an interval of Student', async () => {
    const progress: string[] = [];
    const onProgress = (done: number, total: number) => progress.push(`${done}/${total}`);
    const { runs, summaries, estimates } = await replicate(crowd, { runs: 5, seed: 7, onProgress });
    expect(runs).toBe(5);
    expect(summaries[3]).toEqual(summarize(runEpoch(crowd, { seed: '7:3' })));
    expect(progress).toEqual(['1/5', '2/5', '3/5', '4/5', '5/5']);
    const values = summaries.map(({ locks }) => locks.desk!.utilisation);
    const mean = values.reduce((a, b) => a + b) / 5;
    const sd = Math.sqrt(values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / 4);
    const found = estimates['locks.desk.utilisation']!;
    expect(found.mean).toBeCloseTo(mean, 12);
    expect(found.sd).toBeCloseTo(sd, 12);
    expect(found.high - found.mean).toBeCloseTo((2.776445 * sd) / Math.sqrt(5), 6);
    expect(estimates['verbs.serve.wait.mean']!.runs).toBe(5);
  });

  test('the quantiles of Student are those of the tables', () => {
    for (const [degrees, quantile] of [
      [1, 12.7062],
      [2, 4.302653],
      [9, 2.262157],
      [30, 2.042272],
      [199, 1.971957],
    ] as const)
      expect(studentQuantile(degrees)).toBeCloseTo(quantile, 4);
  });

  test('a sweep goes through all combinations, the last parameter fastest, with the same seeds at each point', async () => {
    const points = await sweep(
      crowd,
      { 'lock_defs.desk.capacity': [1, 2], 'arrivals.0.every.mean': [10, 20] },
      { runs: 2, seed: 1 },
    );
    expect(points.map(({ point }) => Object.values(point).join())).toEqual(['1,10', '1,20', '2,10', '2,20']);
    const same = await replicate({ ...crowd, lock_defs: { desk: { capacity: 2 } } }, { runs: 2, seed: 1 });
    expect(points[2]!.summaries).toEqual(same.summaries);
    await expect(sweep(crowd, { 'epoch.index.x': [1] }, { runs: 1 })).rejects.toThrow(InvalidEpoch);
    await expect(sweep(crowd, { 'a.__proto__.b': [1] }, { runs: 1 })).rejects.toThrow(InvalidEpoch);
  });

  test.each([
    ...[
      'lock_defs.dsk.capacity',
      'lock_defs.desk.capacty',
      'lok_defs.desk.capacity',
      'arrivals.1.every.mean',
      'arrivals.0.evry',
    ],
    ...[
      'arrivals.0.every.meen',
      'action_defs.srve.base_duration_min',
      'action_defs.serve.duration',
      'resources.oil',
      '',
    ],
    ...['options.sed', 'skills.nobody.serve', 'epoch.start', 'action_defs.serve.locks.7', 'toString.name'],
  ])('a sweep over %s, which leads nowhere, is refused instead of run', async (path) => {
    const error = await sweep(crowd, { [path]: [1, 2] }, { runs: 1 }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'InvalidEpoch', details: { field: 'parameters', value: path } });
  });

  test.each([
    ...[
      'lock_defs.desk.order',
      'action_defs.serve.priority',
      'arrivals.0.count',
      'options.slots',
      'epoch.end_at',
      'epochs',
    ],
  ])('a sweep over %s, which is read but need not be given, runs', async (path) => {
    const value = path.endsWith('order') ? 'priority' : 2;
    const { lock_defs: _none, ...bare } = crowd;
    expect(await sweep(bare, { [path]: [value] }, { runs: 1 })).toHaveLength(1);
  });

  test('bad numbers of runs and workers are refused, and hooks cannot go to workers', async () => {
    for (const bad of [
      { runs: 0 },
      { runs: 1.5 },
      { runs: 1, workers: -1 },
      { runs: 1, workers: 65 },
      { runs: 1, workers: 1, options: { onEnd: () => undefined } },
    ])
      await expect(replicate(crowd, bad)).rejects.toThrow(InvalidEpoch);
  });

  test('the numbers are the same whatever the number of workers', { timeout: 60_000 }, async () => {
    // Workers import the package as it was built.
    const built = await import('@horae/epoch-sim');
    const alone = await built.replicate(crowd, { runs: 10, seed: 's' });
    const progress: number[] = [];
    for (const workers of [1, 3]) {
      const shared = await built.replicate(crowd, {
        runs: 10,
        seed: 's',
        workers,
        onProgress: (done) => progress.push(done),
      });
      expect(shared).toEqual(alone);
    }
    expect(progress.at(-1)).toBe(10);
    expect(alone.summaries).toEqual((await replicate(crowd, { runs: 10, seed: 's' })).summaries);
  });

  test('an error of a run is the same whatever thread it is thrown on', async () => {
    const broken = { ...crowd, epoch: { ...crowd.epoch, start_at: 'tomorrow' } };
    const built = await import('@horae/epoch-sim');
    for (const workers of [0, 2]) {
      const error = await built
        .replicate(broken as EpochInput, { runs: 3, workers })
        .catch((thrown: unknown) => thrown);
      expect(error, `${workers} workers`).toBeInstanceOf(built.InvalidEpoch);
      expect(error).toMatchObject({ code: 'InvalidEpoch', details: { field: 'epoch.start_at', value: 'tomorrow' } });
      expect((error as Error).message).toContain('is "tomorrow"; give ISO 8601');
    }
  });

  test('what onProgress throws ends the call, also with workers', async () => {
    const built = await import('@horae/epoch-sim');
    const onProgress = () => {
      throw new Error('enough');
    };
    for (const workers of [0, 1])
      await expect(built.replicate(crowd, { runs: 3, workers, onProgress }), `${workers}`).rejects.toThrow('enough');
  });

  test('other work of the program goes on between two runs', async () => {
    const order: string[] = [];
    setImmediate(() => order.push('other work'));
    await replicate(crowd, { runs: 2, onProgress: (done) => order.push(`run ${done}`) });
    expect(order).toEqual(['run 1', 'other work', 'run 2']);
  });

  test('the length of a queue over time has a point wherever it changes', () => {
    const two = runEpochs({ ...input, epoch: { ...input.epoch, end_at: 15 }, resources: { oil: 6 } }, 2);
    expect(queueLengths(two)).toEqual({
      tool: [
        [0, 2],
        [10, 1],
        [20, 0],
      ],
    });
    const points = queueLengths(runEpoch(crowd)).desk!;
    const { queue_max, queue_mean } = summarize(runEpoch(crowd)).locks.desk!;
    const area = points.reduce((sum, [t, length], i) => sum + length * ((points[i + 1]?.[0] ?? 600) - t), 0);
    expect(Math.max(...points.map(([, length]) => length))).toBe(queue_max);
    expect(area / 600).toBeCloseTo(queue_mean, 9);
  });
});

describe('8: out', () => {
  test('CSV has one header, CRLF and quoted cells', () => {
    const result = runEpoch(input);
    const events = eventsCsv(result).split('\r\n');
    expect(events[0]).toBe('seq,epoch,type,action_id,t,at,meta');
    expect(events[1]).toBe('0,0,start,A,0,2025-07-01T08:00:00.000Z,"{""d_eff"":10,""attempt"":1,""waited_min"":0}"');
    expect(events).toHaveLength(6);
    expect(barsCsv(result).split('\r\n')).toEqual([
      'action_id,actor,verb,kind,from,to',
      'A,"A, ""x""",use,run,0,10',
      'B,"B, ""x""",use,wait,0,10',
      'B,"B, ""x""",use,run,10,20',
      '',
    ]);
    const figures = figuresCsv(summarize(result)).split('\r\n');
    expect(figures.slice(0, 4)).toEqual(['figure,value', 'from,0', 'to,60', 'locks.tool.capacity,1']);
    const epochs = runEpochs({ ...input, epoch: { ...input.epoch, end_at: 15 } }, 2);
    expect(eventsCsv(epochs)).toContain('\r\n3,1,end,B,');
    expect(eventsCsv(epochs).match(/seq/g)).toHaveLength(1);
  });

  test('a chart has lanes by actor, lock or verb, and dates on several days', () => {
    const result = runEpoch(input);
    expect(renderGantt(result, { lanes: 'lock' })).toContain('>tool</text>');
    expect(renderGantt(result, { lanes: 'verb' })).toContain('>use</text>');
    expect(renderGantt(result, { lanes: 'actor' })).toContain('>A, &quot;x&quot;</text>');
    expect(renderGantt(result)).toContain('>B</text>');
    expect(() => renderGantt(result, { lanes: 'x' as never })).toThrow(
      'lanes is "x"; give one of action, actor, lock, verb',
    );
    const long = runEpoch({ ...crowd, epoch: { ...crowd.epoch, end_at: 4_000 } });
    expect(renderGantt(long)).toContain('>07-02 ');
    expect(renderGantt(result)).not.toContain('>07-01 ');
  });

  test('a report is one file that asks for nothing, with escaped text, a chart and a table', () => {
    const html = renderReport(runEpochs(crowd, 2), { title: '<script>alert(1)</script>' });
    expect(html).toContain('&lt;script&gt;');
    expect(html).not.toContain('<script>alert');
    expect(html).toContain('<svg');
    expect(html).toContain('<table>');
    expect(html).toContain('Queue for desk');
    expect(html).not.toMatch(/https?:|src=|href=|@import|url\(/);
  });
});
