import { expect, test } from 'vitest';
import { nextUse, useOf, withUse } from './drafts.js';

test('three clicks on a cell lead back to nothing, and other cells stay', () => {
  let draft = { name: 'a', reads: ['other'], writes: [] as readonly string[] } as Parameters<typeof withUse>[0];
  const seen: string[] = [];
  for (let click = 0; click < 3; click++) {
    draft = withUse(draft, 'key', nextUse(useOf(draft, 'key')));
    seen.push(useOf(draft, 'key'));
    expect(useOf(draft, 'other')).toBe('read');
  }
  expect(seen).toEqual(['read', 'write', 'none']);
});
