import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bringUp, inWorkspace, say } from './bring-up.mjs';
import { closingLines } from './closing-lines.mjs';

// `npm test`: the whole gate. Every step runs even when an earlier one failed, so that one run shows everything.
await bringUp();

const scratch = mkdtempSync(join(tmpdir(), 'horae-gate-'));
const summaryFile = join(scratch, 'summary.json');
const steps = [
  { name: 'format and lint', command: 'biome', args: ['check', '--error-on-warnings', '.'] },
  { name: 'types', command: 'turbo', args: ['run', 'typecheck', '--output-logs=errors-only'] },
  {
    name: 'tests',
    command: 'vitest',
    args: ['run', '--reporter=./tooling/gate/gate-reporter.mjs', ...process.argv.slice(2)],
    env: { HORAE_SUMMARY_FILE: summaryFile },
  },
];

const outcomes = [];
for (const [index, { name, command, args, env }] of steps.entries()) {
  say(`Step ${index + 1} of ${steps.length}: ${name}…`);
  const { code } = await inWorkspace(command, args, { env });
  outcomes.push({ name, code });
}

const { lines, failed } = closingLines(outcomes, readSummary());
rmSync(scratch, { recursive: true, force: true });
console.log(lines.join('\n'));
process.exit(failed ? 1 : 0);

function readSummary() {
  try {
    return JSON.parse(readFileSync(summaryFile, 'utf8'));
  } catch {
    return null;
  }
}
