import { expect, test, vi } from 'vitest';
import { listenToEvents, ringServer } from '../../test/support/ring-server-stage.js';
import { ringEventNames } from '../model/events.js';

test('every event is passed on by its name, and a comment comes every 15 s', async () => {
  const { url, emit, clock } = await ringServer();
  const { stream, text } = await listenToEvents(url);
  expect(stream.headers['content-type']).toMatch(/^text\/event-stream/);
  await vi.waitFor(() => expect(text()).toContain(': listening'));
  for (const name of ringEventNames) emit(name, { jobId: 1, text: 'a\nb' } as never);
  emit('pass-failed', { at: 5, error: new Error('lost') });
  await vi.waitFor(() => expect(text()).toContain('"message":"lost"'));
  const told = text()
    .split('\n\n')
    .filter((part) => part.startsWith('event: '));
  expect(told.slice(0, ringEventNames.length)).toEqual(
    ringEventNames.map((name) => `event: ${name}\ndata: {"jobId":1,"text":"a\\nb"}`),
  );
  expect(text()).not.toMatch(/\.ts:\d/);
  const before = text().length;
  await clock.advanceBy(15_000);
  await vi.waitFor(() => expect(text().slice(before)).toMatch(/^:/m));
});

test('nobody listens, nothing is kept: the events are left when the last listener goes', async () => {
  const { url, clock, emit } = await ringServer();
  const { stream } = await listenToEvents(url);
  await vi.waitFor(() => expect(clock.sleepers).toBe(1));
  stream.destroy();
  await vi.waitFor(() => expect(clock.sleepers).toBe(0));
  emit('job-removed', { jobId: 1 });
});
