import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { runDiagram } from '../../src/model/run-diagram.js';

test('the diagram of states in the docs is what the table of transitions says', () => {
  const page = readFileSync(new URL('../../../../docs/guarantees.md', import.meta.url), 'utf8');
  const drawn = /```mermaid\n(stateDiagram-v2[\s\S]*?)\n```/.exec(page)?.[1];
  expect(drawn).toBe(runDiagram());
});
