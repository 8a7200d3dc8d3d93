import { expect, test } from 'vitest';
import { z } from 'zod';
import { checkedText, checkedValue } from './checked-document.js';

const schema = z.strictObject({
  name: z.string(),
  size: z.int().min(1).optional(),
  kind: z.enum(['a', 'b']).optional(),
  parts: z.array(z.union([z.number(), z.strictObject({ x: z.number() })])).optional(),
});

const faultsIn = (text: string) => {
  try {
    checkedText(text, schema, 'file');
  } catch (error) {
    return (error as { details: { faults: unknown[] } }).details.faults;
  }
  return [];
};

test('YAML and JSON with the same content are the same', () => {
  expect(checkedText('name: n\nsize: 3\n', schema, 'file')).toEqual(
    checkedText('{"name":"n","size":3}', schema, 'file'),
  );
});

test.each([
  {
    story: 'a missing field',
    text: 'size: 3\n',
    fault: { path: 'name', line: 1, expected: 'a string', received: 'nothing' },
  },
  {
    story: 'a wrong type',
    text: 'name: n\nsize: big\n',
    fault: { path: 'size', line: 2, expected: 'a number', received: '"big"' },
  },
  {
    story: 'a value too small',
    text: 'name: n\nsize: 0\n',
    fault: { path: 'size', line: 2, expected: 'at least 1', received: '0' },
  },
  {
    story: 'a value that is no choice',
    text: '{\n"name": "n",\n"kind": "c"\n}',
    fault: { path: 'kind', line: 3, expected: 'one of a, b', received: '"c"' },
  },
  {
    story: 'an unknown field',
    text: 'name: n\nsise: 3\n',
    fault: { path: 'sise', line: 2, expected: 'no such field', received: '3' },
  },
  {
    story: 'the form that was meant',
    text: 'name: n\nparts:\n  - 1\n  - { x: far }\n',
    fault: { path: 'parts.1.x', line: 4, expected: 'a number', received: '"far"' },
  },
  {
    story: 'a document that is no object',
    text: '[]',
    fault: { path: '', line: 1, expected: 'an object', received: '[]' },
  },
  { story: 'an empty document', text: '', fault: { path: '', expected: 'an object', received: 'null' } },
])('$story is told with its place', ({ text, fault }) => {
  expect(faultsIn(text)[0]).toMatchObject(fault);
});

test('every fault is listed, twenty at most in the message', () => {
  const many = { name: 'n', ...Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`f${i}`, i])) };
  expect(faultsIn(JSON.stringify(many))).toHaveLength(30);
  expect(() => checkedValue(many, schema, 'file')).toThrow('and 10 more');
});

test('broken text is told with its line', () => {
  expect(faultsIn('name: n\nparts: [\n')[0]).toMatchObject({ path: '', expected: 'well-formed YAML or JSON' });
});

test('a document of aliases upon aliases is refused', () => {
  const bomb = [
    'a: &a [x, x, x, x, x, x, x, x, x]',
    ...'bcdefgh'.split('').map((key, i) => `${key}: &${key} [${Array(9).fill(`*${'abcdefg'[i]}`)}]`),
  ];
  expect(faultsIn(bomb.join('\n'))[0]).toMatchObject({ expected: 'fewer aliases' });
});

test('a key that is given twice is refused with its line', () => {
  expect(faultsIn('name: n\nsize: 3\nname: m\n')).toEqual([
    { path: '', line: 3, expected: 'a key only once in a map', received: '"name" again' },
  ]);
});

test('thousands of faults in JSON are found in one reading of the text, each with its line', () => {
  const parts = Array.from({ length: 20_000 }, () => '"x"').join(',\n');
  const faults = faultsIn(`{"name":"n","parts":[\n${parts}]}`);
  expect(faults).toHaveLength(1_000);
  expect(faults.at(-1)).toMatchObject({ path: 'parts.999', line: 1_001 });
});

test('thousands of keys are looked up by their name', () => {
  const keys = Array.from({ length: 20_000 }, (_, i) => `key${i}: 1`).join('\n');
  expect(faultsIn(`name: n\n${keys}\n`).at(-1)).toMatchObject({ path: 'key999', line: 1_001 });
});

test('a large value is shown by its beginning', () => {
  const [fault] = faultsIn(JSON.stringify({ name: Array.from({ length: 100_000 }, (_, i) => i) }));
  expect(fault).toMatchObject({ path: 'name', received: expect.stringMatching(/^\[0,1,2,.*\.\.\.$/) });
});
