import { createManualClock } from '@horae/clock-store/testing';
import { expect } from 'vitest';
import type { AlertMessage, RingOptions } from '../../src/index.js';
import { loopbackServer, type ReceivedCall, reply } from './loopback-server.js';
import { eventually, networkStage } from './network-stage.js';
import { START } from './ring-stage.js';

/** How a sink treats the next message: answers with a status, never answers, or takes it and breaks the connection. */
export type Treatment = number | 'hang' | 'break';

/** A real receiver of webhooks. It treats messages as it is told, one after the other, and answers 200 after that. */
export async function alertSink(...treatments: Treatment[]) {
  const sink = await loopbackServer((_call, response) => {
    const treatment = treatments.shift() ?? 200;
    if (treatment === 'hang') return;
    if (treatment === 'break') response.destroy();
    else reply(response, {}, treatment);
  });
  const message = ({ text }: ReceivedCall) => JSON.parse(text) as AlertMessage;
  return {
    ...sink,
    treatments,
    messages: () => sink.calls.map(message),
    /** Cause and count of each message, in the order of their coming. */
    told: () => sink.calls.map(message).map(({ on, count }) => `${on} ${count}`),
  };
}

/** A node whose clock stands still, with a channel `ops` to a sink. */
export async function alertStage(options: Partial<RingOptions> = {}, ...treatments: Treatment[]) {
  const clock = createManualClock({ now: START });
  const sink = await alertSink(...treatments);
  const channels = { ops: { kind: 'webhook', url: sink.url, secret: 'very secret' } } as const;
  const stage = await networkStage({ clock, channels, ...options });
  /** Goes on second by second, and waits for the pass of each. */
  const advance = async (ms: number) => {
    for (let left = ms; left > 0; left -= 1_000) {
      await clock.advanceBy(Math.min(1_000, left));
      const at = Math.floor(clock.now() / 1_000) * 1_000;
      await eventually(() => expect(stage.ring.health().lastPassAt ?? START).toBeGreaterThanOrEqual(at));
    }
  };
  const told = (...expected: string[]) => eventually(() => expect(sink.told()).toEqual(expected));
  /** So many messages have arrived and are out of the outbox. */
  const sent = (count: number) =>
    eventually(() => expect(stage.heard.filter(({ name }) => name === 'alert-sent').length).toBe(count));
  return { ...stage, clock, sink, channels, advance, told, sent };
}
