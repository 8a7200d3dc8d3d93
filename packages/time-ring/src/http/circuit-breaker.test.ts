import { expect, test } from 'vitest';
import { createCircuitBreakers } from './circuit-breaker.js';

const HERE = 'http://here';

function breakers() {
  return createCircuitBreakers({ failures: 3, openMs: 10_000 });
}

function fault(all: ReturnType<typeof breakers>, at: number, times = 1): void {
  for (let time = 0; time < times; time++) all.permit(HERE, at)!.report('fault', at);
}

test('three faults in a row open it, and no call is permitted for openMs', () => {
  const all = breakers();
  fault(all, 0, 2);
  expect(all.state(HERE, 0)).toBe('closed');
  fault(all, 5);
  expect(all.state(HERE, 5)).toBe('open');
  expect(all.permit(HERE, 10_004)).toBeNull();
  expect(all.state(HERE, 10_004)).toBe('open');
  expect(all.state(HERE, 10_005)).toBe('half-open');
});

test('an answer in between begins the count anew', () => {
  const all = breakers();
  fault(all, 0, 2);
  all.permit(HERE, 0)!.report('answered', 0);
  fault(all, 0, 2);
  expect(all.state(HERE, 0)).toBe('closed');
});

test('half open, one call tries while the others wait for its outcome', () => {
  const all = breakers();
  fault(all, 0, 3);
  const trial = all.permit(HERE, 10_000);
  expect(trial).not.toBeNull();
  expect(all.permit(HERE, 10_000)).toBeNull();
  trial!.report('answered', 10_001);
  expect(all.state(HERE, 10_001)).toBe('closed');
  fault(all, 10_002, 2);
  expect(all.state(HERE, 10_002)).toBe('closed');
});

test('a trial that fails opens it for another openMs at once', () => {
  const all = breakers();
  fault(all, 0, 3);
  all.permit(HERE, 10_000)!.report('fault', 12_000);
  expect(all.state(HERE, 12_000)).toBe('open');
  expect(all.permit(HERE, 21_999)).toBeNull();
  expect(all.permit(HERE, 22_000)).not.toBeNull();
});

test('calls that began before it opened have no say: neither their answers close it nor their faults prolong it', () => {
  const all = breakers();
  const [early, late] = [all.permit(HERE, 0)!, all.permit(HERE, 0)!];
  fault(all, 0, 3);
  early.report('answered', 1);
  expect(all.state(HERE, 1)).toBe('open');
  late.report('fault', 9_000);
  expect(all.state(HERE, 10_000)).toBe('half-open');
});

test('addresses do not concern each other', () => {
  const all = breakers();
  fault(all, 0, 3);
  expect(all.state('http://there', 0)).toBe('closed');
  expect(all.permit('http://there', 0)).not.toBeNull();
});

test('a flood of addresses with faults does not grow without bounds: the oldest is forgotten', () => {
  const all = createCircuitBreakers({ failures: 1, openMs: 10_000 });
  for (let number = 0; number <= 50_000; number++) all.permit(`http://host-${number}`, 0)!.report('fault', 0);
  expect(all.state('http://host-0', 0)).toBe('closed');
  expect(all.state('http://host-1', 0)).toBe('open');
});
