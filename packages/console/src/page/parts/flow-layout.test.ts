import { expect, test } from 'vitest';
import { layOutFlow } from './flow-layout.js';

const step = (name: string, ...after: string[]) => ({ name, after });

test('a step stands right of everything that comes before it, and beside none in the same place', () => {
  const { nodes, edges, width, height } = layOutFlow([
    step('a'),
    step('b', 'a'),
    step('c', 'a'),
    step('d', 'b', 'c'),
    step('e', 'a', 'd'),
  ]);
  const at = Object.fromEntries(nodes.map(({ step: { name }, x, y }) => [name, { x, y }]));
  for (const { from, to } of edges) expect(from.x).toBeLessThan(to.x);
  expect(new Set(nodes.map(({ x, y }) => `${x} ${y}`)).size).toBe(5);
  expect(at.b!.x).toBe(at.c!.x);
  expect(edges.length).toBe(6);
  expect([Math.max(...nodes.map(({ x }) => x)) < width, Math.max(...nodes.map(({ y }) => y)) < height]).toEqual([
    true,
    true,
  ]);
});

test('no steps, and a step that is not there, do no harm', () => {
  expect(layOutFlow([])).toMatchObject({ nodes: [], edges: [] });
  expect(layOutFlow([step('a', 'gone')]).edges).toEqual([]);
});
