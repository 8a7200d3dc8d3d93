import { expect, test } from 'vitest';
import { escapeLine, escapeLines } from './escape-controls.js';
import { plainJson } from './plain-json.js';
import { textTable } from './text-table.js';

test.each([
  { story: 'clears the screen', text: '\u001B[2Jgone', shown: '\\u001b[2Jgone' },
  { story: 'sets the title with a C1 control', text: '\u009D0;title\u0007', shown: '\\u009d0;title\\u0007' },
  { story: 'deletes', text: 'a\u007Fb', shown: 'a\\u007fb' },
  { story: 'overwrites its line', text: 'bad\rgood', shown: 'bad\\rgood' },
  { story: 'reverses the direction', text: 'a\u202Eb\u2066c', shown: 'a\\u202eb\\u2066c' },
  { story: 'is only words', text: 'Grüße, 日本 👋', shown: 'Grüße, 日本 👋' },
])('text that $story is shown harmless', ({ text, shown }) => {
  expect(escapeLine(text)).toBe(shown);
  expect(escapeLines(text)).toBe(shown);
});

test('line ends and tabs are kept where several lines are printed', () => {
  expect(escapeLines('a\n\tb')).toBe('a\n\tb');
  expect(escapeLine('a\n\tb')).toBe('a\\n\\tb');
});

test('a cell of a table stays one cell', () => {
  expect(
    textTable([
      ['A', 'B'],
      ['x\ny', '\u001B[31m'],
    ]),
  ).toBe('A     B\nx\\ny  \\u001b[31m');
});

test('JSON stays the same value without a control character in it', () => {
  const value = { name: '\u009B2J\u007F\u202E', line: 'a\nb' };
  const text = plainJson(value);
  expect(escapeLine(text)).toBe(text);
  expect(JSON.parse(text)).toEqual(value);
});
