import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { parseText } from '../../src/command/documents/document-text.js';
import { horae, scratchFolder } from '../support/run-horae.js';

const reader = new URL('../../src/command/documents/document-text.ts', import.meta.url).href;
const program = `
  const { parseText } = await import(${JSON.stringify(reader)});
  for (const sign of ['[', '{a: ', '- ', '? '])
    for (const depth of [1_500, 100_000])
      for (let time = 1; time <= 20; time++) {
        try {
          parseText(sign.repeat(depth));
          console.log(sign, depth, 'was read');
        } catch (error) {
          if (!/64 levels/.test(error.expected)) console.log(sign, depth, error.message);
        }
      }
  console.log('done');
`;

test('a process refuses documents that are nested too deeply, again and again, and lives', () => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', '--input-type=module', '--eval', program],
    { cwd: fileURLToPath(new URL('../../../..', import.meta.url)), encoding: 'utf8', timeout: 120_000 },
  );
  expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: 'done\n', stderr: '' });
}, 150_000);

test.each([
  { story: 'JSON', text: (depth: number) => '['.repeat(depth) + ']'.repeat(depth) },
  {
    story: 'JSON with brackets inside texts',
    text: (depth: number) => `${'["[{\\"[",'.repeat(depth)}1${']'.repeat(depth)}`,
  },
  { story: 'flow YAML', text: (depth: number) => `# yaml\n${'['.repeat(depth)}${']'.repeat(depth)}` },
  { story: 'block YAML', text: (depth: number) => `${'- '.repeat(depth)}a` },
])('$story may have 64 levels and no more', ({ text }) => {
  expect(() => parseText(text(64))).not.toThrow();
  expect(() => parseText(text(65))).toThrow(expect.objectContaining({ expected: 'at most 64 levels of nesting' }));
});

test('a command says which limit a file is over, and where', () => {
  const folder = scratchFolder();
  writeFileSync(join(folder, 'ring.yaml'), `database: sqlite:./ring.db\njobs: ${'['.repeat(1_500)}\n`);
  const { code, stderr } = horae(['ring', 'serve', 'ring.yaml'], { cwd: folder });
  expect(code).toBe(1);
  expect(stderr).toContain('the document (line 2): expected at most 64 levels of nesting, got more');
});
