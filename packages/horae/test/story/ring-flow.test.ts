import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { horae, scratchFolder } from '../support/run-horae.js';

const at = ['--database', 'sqlite:./ring.db'];

const FILE = `
name: nightly
steps:
  fetch: { job: fetch }
  load: { job: fetch, after: [fetch], params: { from: fetch } }
`;

test('flows are started from a file, listed, shown and cancelled', () => {
  const cwd = scratchFolder();
  const ring = (...words: string[]) => horae(['ring', ...words, ...at], { cwd });
  const json = (...words: string[]) => JSON.parse(ring(...words, '--json').stdout);
  json('add', 'fetch', '--handler', 'fetch', '--key', 'fetch');
  expect(ring('flow', 'list').stdout).toBe('no flows\n');
  writeFileSync(join(cwd, 'nightly.yaml'), FILE);
  expect(ring('flow', 'start', 'nightly.yaml').stdout).toBe('flow 1 of 2 steps is running\n');
  const flow = json('flow', 'show', '1');
  expect(flow).toMatchObject({ name: 'nightly', steps: { fetch: { state: 'pending' }, load: { state: 'waiting' } } });
  expect(ring('flow', 'show', '1').stdout).toMatch(
    /1 {2}nightly {2}running {2}2 steps .*\n {2}fetch {2}pending {2}run 1\n/,
  );
  expect(json('flow', 'list', '--state', 'running').flows).toEqual([flow]);
  expect(json('flow', 'cancel', '1')).toEqual({ flow: 1, cancelled: true });
  expect(ring('flow', 'cancel', '1')).toMatchObject({ code: 1, stdout: 'flow 1 was over already\n' });
  expect(ring('flow', 'show', '9').code).toBe(1);
  writeFileSync(join(cwd, 'round.yaml'), 'name: round\nsteps: { a: { job: fetch, after: [a] } }\n');
  const refused = ring('flow', 'start', 'round.yaml');
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain('"a" after "a"');
  writeFileSync(join(cwd, 'wrong.yaml'), 'name: wrong\nsteps: { a: { jobs: fetch } }\n');
  expect(ring('flow', 'start', 'wrong.yaml').stderr).toContain('wrong.yaml');
});
