import { systemClock } from '@horae/clock-store';
import { expect, onTestFinished, test } from 'vitest';
import { createExecutor, type Handler, startTimeRing } from '../../src/index.js';
import { networkPlace, onEveryDatabase } from '../support/network-databases.js';

/** `HORAE_BURST=100000` triggers so many runs of one job. */
const RUNS = Number(process.env.HORAE_BURST ?? 2_000);
const RUNS_PER_CALL = 10_000;
const QUEUE_LIMIT = 200;
const MAX_HEAP_BYTES = 400 * 1024 * 1024;
const FIRST_AT = Date.parse('2026-01-01T00:00:00Z');
const clock = systemClock();

onEveryDatabase(() => {
  test('point 9: a burst of triggers of one slow job is done in its order, whatever waits', {
    timeout: 3_600_000,
  }, async () => {
    const ring = await startTimeRing(networkPlace());
    onTestFinished(() => ring.stop({ deadlineMs: 0 }));
    const order: number[] = [];
    let succeeded = 0;
    let mostHeap = 0;
    let isDone = () => {};
    const done = new Promise<void>((resolve) => {
      isDone = resolve;
    });
    ring.events.on('run-succeeded', () => {
      succeeded += 1;
      if (succeeded % 500 === 0) mostHeap = Math.max(mostHeap, process.memoryUsage().heapUsed);
      if (succeeded === RUNS) isDone();
    });
    const slow: Handler = ({ scheduleTime }) => {
      order.push(scheduleTime!);
      return clock.sleepFor(1);
    };
    const failed: string[] = [];
    ring.events.on('run-failed', ({ run }) => void failed.push(String(run.message)));
    await createExecutor({ ring, queueLimit: QUEUE_LIMIT, handlers: { slow } });
    const ten = { block: 'CONCURRENT', concurrency: 10 } as const;
    const schedule = { kind: 'cron', expression: '* * * * * ?' } as const;
    const { id } = await ring.jobs.add({ name: 'slow', handler: 'slow', schedule, ...ten, waitMs: null });
    const began = clock.monotonicMs();
    for (let first = 0; first < RUNS; first += RUNS_PER_CALL) {
      const count = Math.min(RUNS_PER_CALL, RUNS - first);
      const from = FIRST_AT + first * 1_000;
      const { runs } = await ring.jobs.triggerRange(id, { from, to: from + count * 1_000, limit: count });
      expect(runs).toHaveLength(count);
    }
    const triggeredMs = clock.monotonicMs() - began;
    await done;
    const tookMs = clock.monotonicMs() - began;
    expect(failed).toEqual([]);
    expect(order).toEqual(Array.from({ length: RUNS }, (_, i) => FIRST_AT + i * 1_000));
    expect((await ring.runs.list({ state: 'pending', limit: 1 })).runs).toEqual([]);
    expect(mostHeap).toBeLessThan(MAX_HEAP_BYTES);
    console.info(
      `${networkPlace().database.split(':')[0]}: ${RUNS} runs triggered in ${Math.round(triggeredMs)} ms, done in ${Math.round(tookMs)} ms, heap at most ${Math.round(mostHeap / 1_048_576)} MB`,
    );
  });
}, ['lock-row']);
