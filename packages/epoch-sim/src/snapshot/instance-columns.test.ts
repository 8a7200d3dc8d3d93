import { expect, test } from 'vitest';
import type { ActionInstance } from '../interchange/interchange.js';
import type { Column } from '../tables/columns.js';
import { frontCoded, frontDecoded } from './front-coding.js';
import { instanceImage, instancesFrom } from './instance-columns.js';

test('actions come back as their JSON says, in the order of their fields', () => {
  const hostile = JSON.parse('{"id":"C","__proto__":{"x":1},"constructor":null}');
  const given = [
    { id: 'A', actor: 'Ann', verb: 'go', params: { to: [1, 2] }, submitted_at: 'now' },
    { verb: 'go', id: 'B', actor: 'Ann', submitted_at: 'now', priority: 2 },
    hostile,
    { id: 'other', actor: 'true', verb: 'go', params: true, left: undefined, submitted_at: 'now' },
    { id: 'E', actor: 'Ann', verb: 'go', params: { to: [1, 2] }, submitted_at: 'now' },
  ] as ActionInstance[];
  const idOf = (row: number) => 'ABCDE'[row]!;
  const { shapes, columns } = instanceImage(given, idOf);
  const read = instancesFrom(JSON.parse(JSON.stringify(shapes)), new Map<string, Column>(columns), idOf);
  expect(JSON.stringify(read)).toBe(JSON.stringify(given));
  expect(read[4]!.params).toBe(read[0]!.params);
  expect(Object.isFrozen((read[0]!.params as { to: number[] }).to)).toBe(true);
});

test('front coding keeps every text, also where a surrogate pair is cut', () => {
  const texts = [
    '',
    'action1',
    'action12',
    'action2',
    '\u{1f600}',
    '\u{1f601}',
    'x'.repeat(300),
    `${'x'.repeat(300)}y`,
  ];
  const coded = frontCoded(texts);
  expect(frontDecoded({ ...coded, rest: JSON.parse(JSON.stringify(coded.rest)) })).toEqual(texts);
  expect(coded.rest.startsWith('action122')).toBe(true);
});
