import { describe, expect, test } from 'vitest';
import { CronArgumentError, hashed, InvalidCronExpressionError, parseCron } from '../../src/index.js';

/** The values of a list such as `3-4,18`. */
const valuesOf = (field: string): number[] =>
  field.split(',').flatMap((part) => {
    const [first, last = first] = part.split('-').map(Number) as [number, number?];
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  });

describe('hashed', () => {
  test('is the same for ever and on every machine', () => {
    // Written down once; a change here is a change of every schedule in use.
    expect(hashed('H H * * *', 'backup')).toBe(GOLDEN[0]);
    expect(hashed('H H H H H', 'nightly report')).toBe(GOLDEN[1]);
    expect(hashed('H/15 H(9-16)/2 H * H', 'Zeitumstellung – Ünïcode')).toBe(GOLDEN[2]);
    expect(hashed('H(0-29)/10 * * * *', '')).toBe(GOLDEN[3]);
  });

  test('every value lies in its field or range, and every one of them is reached', () => {
    const seen = [new Set<number>(), new Set<number>(), new Set<number>(), new Set<number>(), new Set<number>()];
    for (let index = 0; index < 2_000; index++) {
      const fields = hashed('H H(9-17) H H H', `job ${index}`).split(' ');
      for (const [place, field] of fields.entries()) seen[place]!.add(Number(field));
      expect(() => parseCron(fields.join(' '))).not.toThrow();
    }
    const range = (first: number, last: number) =>
      Array.from({ length: last - first + 1 }, (_, index) => first + index);
    expect(seen.map((set) => [...set].sort((a, b) => a - b))).toEqual([
      range(0, 59),
      range(9, 17),
      range(1, 28),
      range(1, 12),
      range(0, 6),
    ]);
  });

  test('a step begins at a hashed offset below it and lists the values', () => {
    const offsets = new Set<number>();
    for (let index = 0; index < 200; index++) {
      const values = valuesOf(hashed('H/15 * * * *', `${index}`).split(' ')[0]!);
      expect(values).toEqual([0, 15, 30, 45].map((value) => value + values[0]!));
      expect(values[0]).toBeLessThan(15);
      offsets.add(values[0]!);
      const ranged = valuesOf(hashed('H(0-29)/10 * * * *', `${index}`).split(' ')[0]!);
      expect(ranged).toEqual([0, 10, 20].map((value) => value + ranged[0]!));
    }
    expect(offsets.size).toBe(15);
  });

  test('fields differ from each other, and seeds from each other', () => {
    const pairs = Array.from({ length: 300 }, (_, index) => hashed('H(0-20) H(0-20) * * *', `${index}`));
    const equal = pairs.filter((text) => text.split(' ')[0] === text.split(' ')[1]);
    expect(equal.length).toBeLessThan(60);
    expect(new Set(pairs).size).toBeGreaterThan(150);
  });

  test('what is no H stays as it is, in lists too', () => {
    expect(hashed('*/5 0,12 1-15 jan MON', 'x')).toBe('*/5 0,12 1-15 jan MON');
    expect(hashed('0,H(30-30)  *\t* * *', 'x')).toBe('0,30 * * * *');
  });

  test.each(['H(50-10) * * * *', 'H/0 * * * *', 'H(0-60) * * * *', '* H(0-24) * * *', 'H/61 * * * *', 'H( * * * *'])(
    '%s is refused with its place',
    (text) => {
      expect(() => hashed(text, 'x')).toThrow(InvalidCronExpressionError);
      try {
        hashed(text, 'x');
      } catch (error) {
        expect((error as InvalidCronExpressionError).details.column).toBe(text.indexOf('H') + 1);
      }
    },
  );

  test.each(['H', 'H * * * * *', 'Hx * * * *', 'H-5 * * * *', ''])('%s is refused', (text) => {
    expect(() => hashed(text, 'x')).toThrow(InvalidCronExpressionError);
  });

  test.each(['5-H * * * *', '*/H * * * *', '1,5-H * * * *', '(H) * * * *', '0 9 * * MON-H'])(
    '%s uses H in no form that there is, and is refused instead of coming back unchanged',
    (text) => {
      expect(() => hashed(text, 'x')).toThrow(InvalidCronExpressionError);
      expect(() => hashed(text, 'x')).toThrow(/write H, H\/15, H\(0-29\) or H\(0-29\)\/10/);
    },
  );

  test('the H of a name is none', () => {
    expect(hashed('0 9 * MARCH MON-THU,THU', 'x')).toBe('0 9 * MARCH MON-THU,THU');
  });

  test('what is no text is refused', () => {
    expect(() => hashed(5 as never, 'x')).toThrow(InvalidCronExpressionError);
  });

  test.each([5, undefined, 'x'.repeat(65_537)])(
    'a seed that is no text of usual length is a CronArgumentError',
    (seed) => {
      expect(() => hashed('H * * * *', seed as never)).toThrow(CronArgumentError);
      expect(() => hashed('H * * * *', seed as never)).toThrow(/^seed must be a text/);
    },
  );
});

const GOLDEN = ['25 4 * * *', '55 20 8 6 4', '7,22,37,52 10,12,14,16 13 * 4', '5,15,25 * * * *'];
