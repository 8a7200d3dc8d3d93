import { createManualClock } from 'horae/time/testing';
import { expect, test } from 'vitest';
import { createLiveHub } from './live-hub.js';

function stage() {
  const clock = createManualClock({ now: 0 });
  const failures: string[] = [];
  const hub = createLiveHub(clock, (topic) => failures.push(topic));
  const heard: string[] = [];
  return { clock, hub, failures, heard, send: (event: string, data: string) => void heard.push(`${event} ${data}`) };
}

test('a listener gets every snapshot at once, then changes only', async () => {
  const { clock, hub, heard, send } = stage();
  let value = 1;
  hub.add('number', () => value);
  await hub.listen(send);
  expect(heard).toEqual(['number 1']);
  hub.touch('number');
  await clock.advanceBy(1_000);
  expect(heard).toEqual(['number 1', 'number 1']);
  hub.touch('number');
  await clock.advanceBy(1_000);
  value = 2;
  hub.touch('number');
  hub.touch('number');
  await clock.advanceBy(1_000);
  expect(heard).toEqual(['number 1', 'number 1', 'number 2']);
});

test('who has left hears nothing, and without listeners no snapshot is read', async () => {
  const { clock, hub, heard, send } = stage();
  let reads = 0;
  hub.add('count', () => ++reads);
  const remove = await hub.listen(send);
  remove();
  hub.touch('count');
  await clock.advanceBy(1_000);
  expect([heard, reads]).toEqual([['count 1'], 1]);
});

test('a snapshot that fails is told and stops nobody', async () => {
  const { hub, failures, heard, send } = stage();
  hub.add('broken', () => {
    throw new Error('no');
  });
  hub.add('whole', () => 'fine');
  await hub.listen(send);
  expect([failures, heard]).toEqual([['broken'], ['whole "fine"']]);
});
