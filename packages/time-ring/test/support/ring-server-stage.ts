import { request } from 'node:http';
import { createManualClock } from '@horae/clock-store/testing';
import { onTestFinished, vi } from 'vitest';
import type { RingHttpOptions } from '../../src/model/interface.js';
import { silentLogger } from '../../src/model/logger.js';
import { createRingServer } from '../../src/server/ring-server.js';
import type { RemoteResult } from '../../src/workbench/remote-calls.js';
import { rawRequest } from './raw-request.js';
import { recordingRing } from './recording-ring.js';

/** A ring's HTTP side in front of a ring that only records what it is asked. */
export async function ringServer(options: Partial<RingHttpOptions> = {}) {
  const recording = recordingRing();
  const clock = createManualClock({ now: 0 });
  const results: RemoteResult[] = [];
  const warnings: { facts: object; message: string }[] = [];
  const log = { ...silentLogger, warn: (facts: object, message: string) => void warnings.push({ facts, message }) };
  const port = {
    ring: recording.ring,
    clock,
    log,
    results: vi.fn(async (items: readonly RemoteResult[]): Promise<string | null> => {
      results.push(...items);
      return null;
    }),
  };
  const listening = await createRingServer({ port: 0, ...options }, port);
  onTestFinished(() => listening.close());
  return { ...recording, clock, results, warnings, port, url: listening.url, listening };
}

export const registration = { registryGroup: 'EXECUTOR', registryKey: 'app', registryValue: 'http://10.0.0.1:9999/' };
export const job = { name: 'nightly', handler: 'report', schedule: { kind: 'cron', expression: '0 0 3 * * ?' } };

/** Asks for JSON. */
export const getJson = async (url: string, path: string, headers = {}) => {
  const answer = await rawRequest(url, { path, headers });
  return { ...answer, body: JSON.parse(answer.text) };
};

/** Listens to the stream of events. */
export async function listenToEvents(url: string) {
  const lines: string[] = [];
  const stream = await new Promise<import('node:http').IncomingMessage>((resolve) => {
    request(`${url}/admin/events`, resolve).end();
  });
  stream.setEncoding('utf8');
  stream.on('data', (text: string) => void lines.push(text));
  return { stream, text: () => lines.join('') };
}
