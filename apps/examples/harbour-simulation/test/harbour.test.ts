import assert from 'node:assert/strict';
import { test } from 'node:test';
import { compareCranes, fewestCranes } from '../src/cranes.js';
import { harbour } from '../src/harbour.js';

const compare = () => compareCranes(harbour, { cranes: [1, 2, 3, 4], runs: 60 });

test('more cranes mean shorter waits and fewer ships lost', async () => {
  const rows = await compare();
  for (const [i, row] of rows.entries()) {
    const before = rows[i - 1];
    if (before === undefined) continue;
    assert.ok(row.waitMin.mean < before.waitMin.mean, `${row.cranes} cranes`);
    assert.ok(row.utilisation.mean < before.utilisation.mean);
    assert.ok(row.lost.mean <= before.lost.mean);
  }
});

test('the answer is the same each time', async () => {
  assert.deepEqual(await compare(), await compare());
});

test('a limit that no number of cranes keeps has no answer', async () => {
  const rows = await compare();
  assert.equal(fewestCranes(rows, 0), null);
  assert.equal(fewestCranes(rows, 100_000), 1);
});
