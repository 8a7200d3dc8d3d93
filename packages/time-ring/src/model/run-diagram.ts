import { runTransitions } from './run-transitions.js';

/** The states of a run and the transitions between them, as a Mermaid diagram. */
export function runDiagram(): string {
  const moves = new Map<string, string[]>();
  for (const [name, { from, to }] of Object.entries(runTransitions)) {
    for (const before of from) {
      for (const after of to) {
        const arrow = `${before} --> ${after}`;
        if (before !== after) moves.set(arrow, [...(moves.get(arrow) ?? []), name]);
      }
    }
  }
  const lines = [...moves].map(([arrow, names]) => `  ${arrow}: ${names.join(', ')}`).sort();
  return ['stateDiagram-v2', '  [*] --> pending', ...lines].join('\n');
}
