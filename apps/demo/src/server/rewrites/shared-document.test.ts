import { expect, test } from 'vitest';
import { editDocument } from './shared-document.js';

test('the document has one digest, whatever the number of threads, and says who waits for whom', async () => {
  const runs = await Promise.all([0, 1, 3].map(editDocument));
  expect(runs[0]!.digest).toMatch(/^[0-9a-f]{64}$/);
  expect(new Set(runs.map(({ digest }) => digest)).size).toBe(1);
  expect(runs[0]!.sections.map(({ text }) => text.length > 0)).toEqual([true, true, true, true, false]);
  expect(runs[0]!.waits).toHaveLength(4);
  expect(runs[0]!.waits[0]).toMatchObject({ mode: 'write-write', by: expect.stringContaining(' at ') });
});
