import { expect, test } from 'vitest';
import { withGone } from './seen-nodes.js';

const node = (nodeId: string, beatAt = 1, isAlive = true) => ({ nodeId, beatAt, isAlive });

test('a node is alive, silent, and when it has left the ring gone', () => {
  const both = withGone([], [node('a'), node('b', 2)]);
  expect(both.map(({ nodeId, standing }) => `${nodeId} ${standing}`)).toEqual(['a alive', 'b alive']);
  const silent = withGone(both, [node('a'), node('b', 2, false)]);
  expect(silent[1]).toEqual({ nodeId: 'b', beatAt: 2, standing: 'silent' });
  const gone = withGone(silent, [node('a')]);
  expect(gone[1]).toEqual({ nodeId: 'b', beatAt: 2, standing: 'gone' });
  expect(withGone(gone, [node('a')])).toEqual(gone);
  expect(withGone(gone, [node('a'), node('b', 9)])[1]).toEqual({ nodeId: 'b', beatAt: 9, standing: 'alive' });
});

test('of many that have gone only the latest are remembered', () => {
  const before = withGone(
    [],
    Array.from({ length: 20 }, (_, at) => node(`n${at}`, at)),
  );
  expect(withGone(before, []).map(({ nodeId }) => nodeId)).toEqual([
    'n19',
    'n18',
    'n17',
    'n16',
    'n15',
    'n14',
    'n13',
    'n12',
  ]);
});
