import { crc32 } from 'node:zlib';
import { seededRandom } from '@horae/clock-store';
import { describe, expect, test } from 'vitest';
import { createSimulation, InvalidSnapshot, type JsonSnapshot, restoreSimulation } from '../../src/index.js';
import { randomScenario } from '../support/random-scenario.js';

const rounds = process.env.HORAE_LONG ? 20_000 : 1_500;
const seed = process.env.HORAE_SEED ?? 'hostile';
const LIMIT = { timeout: 60_000 };

const { input, options, minutes } = randomScenario('hostile/scenario');
const simulation = () => createSimulation(input, options).runUntil(Math.floor(minutes / 2));
const good = simulation().snapshot({ format: 'binary' });
const json = () => simulation().snapshot();

/** Bytes with a checksum that fits. */
function signed(bytes: Uint8Array): Uint8Array {
  const end = bytes.length - 4;
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(end, crc32(bytes.subarray(0, end)), true);
  return bytes;
}

function signedJson({ checksum: _old, ...image }: JsonSnapshot): JsonSnapshot {
  return { ...image, checksum: crc32(JSON.stringify(image)).toString(16).padStart(8, '0') };
}

/** Restores a snapshot and carries it on. Whatever it is, the outcome is a state that runs or `InvalidSnapshot`. */
function outcomeOf(snapshot: JsonSnapshot | Uint8Array): 'runs' | 'refused' {
  let restored: ReturnType<typeof restoreSimulation>;
  try {
    restored = restoreSimulation(snapshot);
  } catch (error) {
    expect(error).toBeInstanceOf(InvalidSnapshot);
    return 'refused';
  }
  restored.runUntil(restored.t + 500);
  JSON.stringify([restored.result(), restored.snapshot({ format: 'binary' }).length]);
  return 'runs';
}

test('both forms say version 2 and end with their checksum', () => {
  const view = new DataView(good.buffer, good.byteOffset, good.byteLength);
  expect(view.getUint32(4, true)).toBe(2);
  expect(view.getUint32(good.length - 4, true)).toBe(crc32(good.subarray(0, good.length - 4)));
  const { checksum, ...image } = json();
  expect(image.version).toBe(2);
  expect(checksum).toMatch(/^[0-9a-f]{8}$/);
  expect(Number.parseInt(checksum, 16)).toBe(crc32(JSON.stringify(image)));
  expect(outcomeOf(good)).toBe('runs');
  expect(outcomeOf(signedJson(json()))).toBe('runs');
});

test('version 1 is refused, whatever its checksum', () => {
  const old = good.slice();
  old[4] = 1;
  expect(() => restoreSimulation(signed(old))).toThrow(/InvalidSnapshot: version is 1/);
  expect(() => restoreSimulation(signedJson({ ...json(), version: 1 as never }))).toThrow(InvalidSnapshot);
});

describe('damage', () => {
  test('of any single byte is noticed', LIMIT, () => {
    for (let at = 0; at < good.length; at++) {
      for (const change of [1, 0x80, 0xff]) {
        const bytes = good.slice();
        bytes[at]! ^= change;
        expect(() => restoreSimulation(bytes), `byte ${at}`).toThrow(InvalidSnapshot);
      }
    }
  });

  test('of any character of the JSON text is noticed', LIMIT, () => {
    const text = JSON.stringify(json());
    for (let at = 0; at < text.length; at += 7) {
      const damaged = `${text.slice(0, at)}${text[at] === '1' ? '2' : '1'}${text.slice(at + 1)}`;
      let parsed: JsonSnapshot;
      try {
        parsed = JSON.parse(damaged) as JsonSnapshot;
      } catch {
        continue;
      }
      expect(() => restoreSimulation(parsed), `character ${at}`).toThrow(InvalidSnapshot);
    }
  });

  test('of the length is noticed, and so is anything that never was a snapshot', () => {
    for (let length = 0; length < good.length; length += 13)
      expect(() => restoreSimulation(good.slice(0, length))).toThrow(InvalidSnapshot);
    for (const bad of [null, undefined, 7, 'text', [], {}, new Uint8Array(0), new Uint8Array(4096), () => 1])
      expect(() => restoreSimulation(bad as never)).toThrow(InvalidSnapshot);
  });
});

describe('a crafted snapshot with a fitting checksum', () => {
  test('of any bytes runs or is refused', LIMIT, () => {
    const random = seededRandom(seed);
    const seen = { runs: 0, refused: 0 };
    for (let i = 0; i < rounds; i++) {
      const bytes = good.slice();
      for (let n = 1 + random.below(3); n > 0; n--) bytes[8 + random.below(bytes.length - 12)] = random.below(256);
      seen[outcomeOf(signed(bytes))]++;
    }
    expect(Math.min(seen.runs, seen.refused)).toBeGreaterThan(rounds / 20);
  });

  test('of any JSON values runs or is refused', LIMIT, () => {
    const random = seededRandom(`${seed}/json`);
    const hostile: unknown[] = [null, -1, 0, 1, 2.5, 1e15, 1e308, 'x', [], {}, [null], { id: 1 }, true, [[1, 2]]];
    const seen = { runs: 0, refused: 0 };
    const text = JSON.stringify(json());
    for (let i = 0; i < rounds; i++) {
      const snapshot = JSON.parse(text) as JsonSnapshot;
      let place: Record<string, unknown> = { snapshot };
      let key = 'snapshot';
      for (let depth = 1 + random.below(6); depth > 0; depth--) {
        const next = place[key];
        if (typeof next !== 'object' || next === null || Object.keys(next).length === 0) break;
        place = next as Record<string, unknown>;
        const keys = Object.keys(place);
        key = keys[random.below(keys.length)]!;
      }
      place[key] = hostile[random.below(hostile.length)];
      seen[outcomeOf(signedJson(snapshot))]++;
    }
    expect(Math.min(seen.runs, seen.refused)).toBeGreaterThan(rounds / 40);
  });

  test('of 4 kB that asks for 2 GB is refused before the memory is taken', () => {
    const entries = ['shared', 'name', 'due'].map((name) => {
      return { name, kind: 'f64', length: 250_000_000, packed: 'u8', shift: 0, written: 0, tail: 0 };
    });
    const text = Buffer.from(JSON.stringify({ data: {}, entries }));
    const bytes = new Uint8Array(4096);
    bytes.set(good.subarray(0, 8));
    const view = new DataView(bytes.buffer);
    view.setFloat64(8, text.length, true);
    view.setFloat64(16, 4096 - 16, true);
    bytes.set(text, 24);
    const before = process.memoryUsage().arrayBuffers;
    expect(() => restoreSimulation(signed(bytes))).toThrow(InvalidSnapshot);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(10_000_000);
  });
});

test('a snapshot of long equal columns has a byte for every eight values, and is read', () => {
  const submitted_at = '2025-07-01T08:10:00';
  const epoch = { index: 0, start_at: '2025-07-01T08:00:00', end_at: '2025-07-01T09:00:00' };
  const same = Array.from({ length: 50_000 }, () => ({ id: 'x', actor: 'a', verb: 'v', params: [1], submitted_at }));
  const crowd = createSimulation({ epoch, action_defs: { v: { base_duration_min: 5 } }, actions_submitted: same });
  const bytes = crowd.snapshot({ format: 'binary' });
  expect(bytes.length).toBeGreaterThan((50_000 * 12) / 8);
  expect(bytes.length).toBeLessThan(50_000 * 12);
  expect(restoreSimulation(bytes).runUntil(10).result().rejections).toHaveLength(49_999);
});
