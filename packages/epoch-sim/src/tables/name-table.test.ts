import { expect, test } from 'vitest';
import { NameTable } from './name-table.js';

test('names keep their numbers, also when all of them have the same hash', () => {
  const table = new NameTable();
  const plain = Array.from({ length: 500 }, (_, i) => `action${i}`);
  // Only the ends of long names are hashed, so these collide and fill the overflow.
  const colliding = plain.map((_, i) => `${'a'.repeat(32)}${String(i).padStart(4, '0')}${'z'.repeat(32)}`);
  const names = [...plain, ...colliding, '', '__proto__', 'é', '\ud800'];
  expect(names.map((name) => table.numberOf(name))).toEqual(names.map((_, i) => i));
  expect(names.map((name) => table.numberOf(name))).toEqual(names.map((_, i) => i));
  expect(names.map((name) => table.find(name))).toEqual(names.map((_, i) => i));
  expect(table.texts).toEqual(names);
  expect(['action', 'action500', `${'a'.repeat(32)}0500${'z'.repeat(32)}`].map((name) => table.find(name))).toEqual([
    -1, -1, -1,
  ]);
});
