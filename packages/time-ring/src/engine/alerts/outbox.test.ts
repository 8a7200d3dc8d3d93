import { createEmitter } from '@horae/clock-store';
import { createManualClock } from '@horae/clock-store/testing';
import { expect, test } from 'vitest';
import type { AlertEvent } from '../../model/alert.js';
import type { RingEvents } from '../../model/events.js';
import { silentLogger } from '../../model/logger.js';
import { memoryJobStore } from '../../store/memory/memory-job-store.js';
import { createAlertOutbox, retryPauseMs } from './outbox.js';
import type { SendAlert } from './send-alert.js';

const START = 1_000_000;
const body = { on: 'misfire', text: 'missed', nodeId: 'n', job: null, run: null } as const;

async function stage(send: SendAlert | null) {
  const clock = createManualClock({ now: START });
  const store = memoryJobStore();
  const emitter = createEmitter<RingEvents>();
  const failed: AlertEvent[] = [];
  emitter.on('alert-failed', (event) => failed.push(event));
  await store.transaction((trx) =>
    trx.insertAlerts([{ channel: 'ops', dueAt: START, count: 1, at: START, body, heldKey: null }]),
  );
  const outbox = createAlertOutbox({
    ...{ owner: 'me', store, clock, emitter, time: clock, log: silentLogger, leaseMs: 3_000 },
    senders: new Map(send === null ? [] : [['ops', send]]),
  });
  const left = async () => (await store.dueAlerts({ channels: null, until: Number.MAX_VALUE, limit: 9 })).length;
  return { clock, store, outbox, failed, left };
}

test('tries come after 1 s, doubled up to 10 min', () => {
  expect([1, 2, 3, 10, 11, 500].map(retryPauseMs)).toEqual([1_000, 2_000, 4_000, 512_000, 600_000, 600_000]);
});

test('a message that nobody takes is given up after a day, visibly', async () => {
  const tries: number[] = [];
  const { clock, outbox, failed, left } = await stage(() => {
    tries.push(clock.now());
    throw new Error('nobody at home');
  });
  for (let looks = 0; looks < 400 && failed.length === 0; looks++) {
    await outbox.look();
    await clock.settle();
    await clock.advanceBy(looks < 10 ? 2 ** looks * 1_000 : 600_000);
  }
  expect(failed).toMatchObject([{ channel: 'ops', message: { id: 1, text: 'missed' } }]);
  expect((failed[0]!.error as Error).message).toBe('nobody at home');
  expect(tries.at(-1)! - START).toBeGreaterThanOrEqual(86_400_000);
  expect(tries.at(-1)! - START).toBeLessThanOrEqual(86_400_000 + 1_200_000);
  expect(await left()).toBe(0);
});

test('a message to a channel that no node has had for a day is given up', async () => {
  const { clock, outbox, failed, left } = await stage(null);
  await clock.advanceBy(86_400_000 - 1);
  await outbox.look();
  expect(await left()).toBe(1);
  await clock.advanceBy(60_000);
  await outbox.look();
  expect(failed).toMatchObject([{ channel: 'ops', message: { id: 1 } }]);
  expect(await left()).toBe(0);
});

test('a receiver that never answers does not keep its message after 10 s', async () => {
  const signals: AbortSignal[] = [];
  const { clock, outbox, store } = await stage((_message, { signal }) => {
    signals.push(signal);
    return new Promise(() => {});
  });
  await outbox.look();
  await clock.advanceBy(9_000);
  await outbox.look();
  expect(signals[0]!.aborted).toBe(false);
  await clock.advanceBy(1_000);
  expect(signals[0]!.aborted).toBe(true);
  const [alert] = await store.dueAlerts({ channels: null, until: Number.MAX_VALUE, limit: 1 });
  expect([alert!.tries, alert!.dueAt]).toEqual([1, START + 11_000]);
});

test('while one node has the channel, another sends nothing to it', async () => {
  const sent: string[] = [];
  const { clock, store, outbox } = await stage(() => new Promise((resolve) => sent.push('me') && resolve(undefined)));
  await store.transaction((trx) => trx.putMarks([{ name: 'outbox:ops', owner: 'other', until: START + 2_000 }]));
  await outbox.look();
  await clock.advanceBy(2_000);
  await outbox.look();
  await clock.settle();
  expect(sent).toEqual([]);
  await clock.advanceBy(1);
  await outbox.look();
  await clock.settle();
  expect(sent).toEqual(['me']);
});
