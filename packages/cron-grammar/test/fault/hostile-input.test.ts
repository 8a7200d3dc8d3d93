import { expect, test } from 'vitest';
import { parseCron, parseCrontab, tryParseCron } from '../../src/index.js';

/** Texts made to hurt, of about a given size. */
const hostile: { story: string; make: (size: number) => string }[] = [
  { story: 'one long number', make: (size) => `${'9'.repeat(size)} * * * *` },
  { story: 'zeros without end', make: (size) => `${'0'.repeat(size)} * * * *` },
  { story: 'a long list', make: (size) => `${'1,'.repeat(size / 2)}1 * * * *` },
  { story: 'a long list with a fault at its end', make: (size) => `${'1,'.repeat(size / 2)}x * * * *` },
  { story: 'a long list of ranges', make: (size) => `${'0-59,'.repeat(size / 5)}0 * * * *` },
  { story: 'commas', make: (size) => `${','.repeat(size)} * * * *` },
  { story: 'dashes', make: (size) => `${'-'.repeat(size)} * * * *` },
  { story: 'slashes', make: (size) => `${'/'.repeat(size)} * * * *` },
  { story: 'stars', make: (size) => '*'.repeat(size) },
  { story: 'stars with spaces', make: (size) => '* '.repeat(size / 2) },
  { story: 'spaces', make: (size) => ' '.repeat(size) },
  { story: 'letters', make: (size) => `${'L'.repeat(size)} * * * *` },
  { story: 'names', make: (size) => `* * * * ${'mon,'.repeat(size / 4)}mon` },
  { story: 'steps', make: (size) => `${'*/2,'.repeat(size / 4)}1 * * * *` },
  { story: 'no-break spaces', make: (size) => '\u00a0'.repeat(size) },
  { story: 'half surrogates', make: (size) => `${'\ud83d'.repeat(size)} * * * *` },
  { story: 'digits and letters by turns', make: (size) => `${'1e'.repeat(size / 2)} * * * *` },
  { story: 'a deep mixture', make: (size) => '1-2/3,*#?L@'.repeat(size / 11) },
];

/**
 * The characters that a piece of work looks at: every text operation is charged with the length it walks over. Unlike a stopwatch
 * it gives the same number on every machine.
 */
function charactersRead(work: () => void): number {
  let read = 0;
  const text = String.prototype as unknown as Record<string, (...args: unknown[]) => unknown>;
  const pattern = RegExp.prototype as unknown as Record<string, (...args: unknown[]) => unknown>;
  const undo: (() => void)[] = [];
  const charge = (
    owner: typeof text,
    name: string,
    price: (self: string, result: unknown, args: unknown[]) => number,
  ): void => {
    const original = owner[name]!;
    undo.push(() => {
      owner[name] = original;
    });
    owner[name] = function (this: string, ...args: unknown[]): unknown {
      const result = original.apply(this, args);
      read += price(this, result, args);
      return result;
    };
  };
  const whole = (self: string): number => self.length;
  for (const name of ['charCodeAt', 'codePointAt']) charge(text, name, () => 1);
  for (const name of ['split', 'normalize', 'toUpperCase', 'toLowerCase', 'trim', 'replace', 'search', 'includes'])
    charge(text, name, whole);
  charge(text, 'slice', (_self, result) => (result as string).length);
  charge(
    text,
    'indexOf',
    (self, result, [, from = 0]) => ((result as number) < 0 ? self.length : (result as number)) - (from as number) + 1,
  );
  for (const name of ['exec', 'test']) charge(pattern, name, (_self, _result, [input]) => String(input).length);
  try {
    work();
  } finally {
    for (const restore of undo) restore();
  }
  return read;
}

test.each(hostile)('$story: a clear answer, in both dialects', ({ make }) => {
  for (const dialect of ['posix', 'quartz'] as const) {
    const text = make(60_000);
    const result = tryParseCron(text, { dialect });
    if (!result.ok) {
      expect(result.error.details.reason.length).toBeLessThan(300);
      expect(result.error.caret().length).toBeLessThan(700);
      expect(result.error.details.column).toBeLessThanOrEqual(text.length + 1);
    }
  }
});

test.each(hostile)('$story: sixteen times the text is sixteen times the work', ({ make }) => {
  for (const dialect of ['posix', 'quartz'] as const) {
    const [small, large] = [make(3_750), make(60_000)];
    const read = (text: string): number => charactersRead(() => void tryParseCron(text, { dialect }));
    expect(read(large) / read(small)).toBeLessThan(20);
    expect(read(large) / large.length).toBeLessThan(60);
  }
});

test('text beyond 65,536 characters is refused unread, however long', () => {
  for (const length of [65_537, 1_048_576]) {
    const result = tryParseCron(`${' '.repeat(length - 9)}* * * * *`);
    if (result.ok) expect.fail('accepted');
    expect(result.error.details).toMatchObject({ field: 'expression', reason: expect.stringContaining('too long') });
    expect(result.error.message.length).toBeLessThan(300);
  }
  expect(() => parseCron(`${' '.repeat(65_536 - 9)}* * * * *`)).not.toThrow();
});

test('100,000 list elements are one clear error', () => {
  const result = tryParseCron(`${'1,'.repeat(100_000)}1 * * * *`);
  expect(result.ok).toBe(false);
});

test('a crontab of 20,000 lines is read line by line', () => {
  const entries = parseCrontab('0 0 * * * job\nbad line\n'.repeat(10_000));
  expect(entries.length).toBe(20_000);
  expect(entries.filter((entry) => entry.error === undefined).length).toBe(10_000);
});
