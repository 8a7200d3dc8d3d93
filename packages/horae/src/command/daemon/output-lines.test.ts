import { expect, test } from 'vitest';
import { createLineSplitter, MAX_LINE_BYTES } from './output-lines.js';

function linesOf(...chunks: readonly (string | Uint8Array)[]): string[] {
  const lines: string[] = [];
  const splitter = createLineSplitter((line) => lines.push(line));
  for (const chunk of chunks) splitter.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  splitter.end();
  return lines;
}

test.each([
  { story: 'ends at every kind of line break', chunks: ['a\nb\r\nc\rd\n'], lines: ['a', 'b', 'c', 'd'] },
  { story: 'may be cut into chunks anywhere', chunks: ['on', 'e\r', '\ntw', '', 'o'], lines: ['one', 'two'] },
  { story: 'is skipped when it is empty', chunks: ['\n\n\r\n\n'], lines: [] },
  { story: 'at the end needs no line break', chunks: ['a\nb'], lines: ['a', 'b'] },
])('a line $story', ({ chunks, lines }) => {
  expect(linesOf(...chunks)).toEqual(lines);
});

test('a character that is cut into two chunks stays whole', () => {
  const bytes = Buffer.from('grün €\n');
  for (let at = 1; at < bytes.length; at++) {
    expect(linesOf(bytes.subarray(0, at), bytes.subarray(at))).toEqual(['grün €']);
  }
});

test('of a long line 8 KiB are kept, with a note of how much was dropped; the next line is whole', () => {
  const [long, next] = linesOf('x'.repeat(5_000), 'x'.repeat(5_000), '\nnext\n');
  expect(long).toBe(`${'x'.repeat(MAX_LINE_BYTES)}… (${10_000 - MAX_LINE_BYTES} more bytes dropped)`);
  expect(next).toBe('next');
});

test('a character at the cut is dropped whole', () => {
  const [line] = linesOf('x'.repeat(MAX_LINE_BYTES - 1), '€€');
  expect(line).toBe(`${'x'.repeat(MAX_LINE_BYTES - 1)}… (5 more bytes dropped)`);
});
