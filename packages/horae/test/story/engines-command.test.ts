import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { horae, horaeOnTerminal, noTerminal, scratchFolder } from '../support/run-horae.js';

const harbour = fileURLToPath(import.meta.resolve('@horae/epoch-sim/package.json')).replace(
  'package.json',
  'examples/storm-at-the-harbour.yaml',
);

test('sim run tells what happens, from a file and from standard input', () => {
  const { code, stdout } = horae(['sim', 'run', harbour]);
  expect(code).toBe(0);
  expect(stdout.split('\n')[1]).toBe('08:00  start              tow Aurora  for 24 min');
  expect(horae(['sim', 'run', '-'], { input: readFileSync(harbour, 'utf8') }).stdout).toBe(stdout);
});

test('sim run draws a chart, one for each epoch', () => {
  const folder = scratchFolder();
  expect(horae(['sim', 'run', harbour, '--gantt', 'chart.svg'], { cwd: folder }).code).toBe(0);
  expect(readFileSync(join(folder, 'chart.svg'), 'utf8')).toMatch(/^<svg/);
  horae(['sim', 'run', harbour, '--epochs', '2', '--gantt', 'chart.svg'], { cwd: folder });
  expect(['chart-0.svg', 'chart-1.svg'].map((name) => existsSync(join(folder, name)))).toEqual([true, true]);
  const lost = horae(['sim', 'run', harbour, '--gantt', 'no/such/chart.svg'], { cwd: folder });
  expect(lost.code).toBe(1);
  expect(lost.stderr).toContain('cannot be written');
});

test('sim run explains a wait', () => {
  expect(horae(['sim', 'run', harbour, '--why', 'tow Castor']).stdout).toContain(
    'lifeboat call had tug until minute 124',
  );
  expect(JSON.parse(horae(['sim', 'run', harbour, '--why', 'tow Castor', '--json']).stdout)).toMatchObject({
    waited_min: 44,
  });
  const { code, stderr } = horae(['sim', 'run', harbour, '--why', 'tow Nobody']);
  expect(code).toBe(1);
  expect(stderr).toContain('"tow Nobody" neither starts nor waits');
});

test('sim run compares with a branch, given as text or as a file', () => {
  const text = '{ at: 40, withdraw: [tow Castor] }';
  const { stdout } = horae(['sim', 'run', harbour, '--branch', text]);
  expect(stdout).toContain('the first difference is at minute 50');
  expect(stdout).toContain('- 08:50  start  tow Castor');
  const folder = scratchFolder();
  writeFileSync(join(folder, 'branch.yaml'), text);
  expect(horae(['sim', 'run', harbour, '--branch', 'branch.yaml'], { cwd: folder }).stdout).toBe(stdout);
  const more =
    '{ at: 30, interrupts: [{ at: 2025-07-01T08:35:00, target: unload Aurora, priority: 9, resume_after_min: 20 }] }';
  const { first_divergence } = JSON.parse(horae(['sim', 'run', harbour, '--branch', more, '--json']).stdout);
  expect(first_divergence).toMatchObject({ t: 35, there: { type: 'interrupt', action_id: 'unload Aurora' } });
});

test.each([
  { branch: '{ at: -1 }', says: 'at (line 1): expected at least 0' },
  { branch: '{ when: 3 }', says: 'when (line 1): expected no such field' },
  { branch: '{ at: 60, withdraw: [tow Aurora] }', says: '"tow Aurora" cannot be withdrawn at minute 60' },
  { branch: '{ submit: [{ id: x }] }', says: 'submit' },
])('sim run refuses the branch $branch', ({ branch, says }) => {
  const { code, stderr } = horae(['sim', 'run', harbour, '--branch', branch]);
  expect(code).toBe(1);
  expect(stderr).toContain(says);
});

test('sim run names path, line and what belongs there in a broken scenario', () => {
  const input =
    'epoch: { index: 0, start_at: 2025-07-01T08:00:00, end_at: 2025-07-01T09:00:00 }\nactions_submitted: []\naction_defs:\n  walk: { base_duration_min: 5, effort: extreme }\n';
  const { code, stderr } = horae(['sim', 'run', '-'], { input });
  expect(code).toBe(1);
  expect(stderr).toContain('action_defs.walk.effort (line 4): expected one of low, medium, high, got "extreme"');
});

const rewrites = [
  {
    name: 'pay',
    scope: { warp: 'book', id: 'ann' },
    footprint: {
      nWrite: [
        { warp: 'book', id: 'ann' },
        { warp: 'book', id: 'ben' },
      ],
    },
  },
  { name: 'read', scope: { warp: 'book', id: 'ben' }, footprint: { nRead: [{ warp: 'book', id: 'ben' }] } },
  {
    name: 'far',
    scope: { warp: 7, id: { hex: 'ab'.repeat(32) } },
    footprint: { bIn: [{ warp: 7, port: '18446744073709551615' }] },
  },
];

test('rewrite plan tells who is refused by whom, and the waves', () => {
  const input = JSON.stringify(rewrites);
  const { code, stdout } = horae(['rewrite', 'plan', '-'], { input });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^refused +pay +by read: node book\/ben \(write-read\)$/m);
  expect(stdout).toContain('2 accepted, 1 refused, 2 waves for all of them');
  const answer = JSON.parse(horae(['rewrite', 'plan', '-', '--json', '--kind', 'legacy', '--all'], { input }).stdout);
  expect(answer).toMatchObject({ reserved: 2, conflicts: 1, replaced: 0 });
  expect(answer.order.map(({ scopeHash }: { scopeHash: string }) => scopeHash)).toEqual(
    answer.order.map(({ scopeHash }: { scopeHash: string }) => scopeHash).sort(),
  );
});

test('rewrite plan takes paths, subtrees, ranges and adds', () => {
  const scope = { warp: 'wiki', id: ['doc', 4] };
  const list = [
    { name: 'print', scope, footprint: { nRead: [{ warp: 'wiki', path: ['doc'], subtree: true }] } },
    { name: 'cut', scope, footprint: { nWrite: [{ warp: 'wiki', path: ['doc'], from: 4, to: 9 }] } },
    { name: 'count', scope, footprint: { nAdd: [{ warp: 'wiki', id: 'edits' }] } },
    { name: 'count too', scope, footprint: { nAdd: [{ warp: 'wiki', id: 'edits' }] } },
  ];
  const { stdout } = horae(['rewrite', 'plan', '-'], { input: JSON.stringify(list) });
  expect(stdout).toMatch(/node wiki\/doc\/(\*\*|\[4\.\.9\)) \((read-write|write-read)\)/);
  expect(stdout).toContain('3 accepted, 1 refused, 2 waves for all of them');
});

test('rewrite plan decides the same in whatever order the file has', () => {
  const plan = (list: readonly unknown[]) =>
    horae(['rewrite', 'plan', '-'], { input: JSON.stringify({ rewrites: list }) }).stdout;
  expect(plan([...rewrites].reverse())).toBe(plan(rewrites));
  expect(plan([])).toBe('0 accepted, 0 refused, 0 waves for all of them\n');
});

test.each([
  { story: 'a broken file', input: '[{', says: 'well-formed' },
  {
    story: 'an unknown set',
    input: '[{"scope":{"warp":1,"id":1},"footprint":{"nodes":[]}}]',
    says: '0.footprint.nodes (line 1): expected a set: nRead, nAdd, nWrite',
  },
  {
    story: 'a misspelt set',
    input: '[{"scope":{"warp":1,"id":1},"footprint":{"nwrite":[]}}]',
    says: '0.footprint.nwrite (line 1): expected the set "nWrite"',
  },
  {
    story: 'an empty range',
    input:
      '[{"name":"odd","scope":{"warp":1,"id":1},"footprint":{"nRead":[{"warp":1,"path":["doc"],"from":3,"to":1}]}}]',
    says: 'rewrite "odd": nRead.to is not a usable key',
  },
  {
    story: 'a short hash',
    input: '[{"scopeHash":"ff","scope":{"warp":1,"id":1},"footprint":{}}]',
    says: '0.scopeHash (line 1): expected 64 hex digits',
  },
  {
    story: 'a write outside its warp',
    input: '[{"scope":{"warp":1,"id":1},"footprint":{"nWrite":[{"warp":2,"id":1}]}}]',
    says: 'rewrite "#0": ',
  },
])('rewrite plan refuses $story', ({ input, says }) => {
  const { code, stdout, stderr } = horae(['rewrite', 'plan', '-'], { input });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain(says);
});

const [anna, cora] = ['a'.repeat(56), 'c'.repeat(56)];
const start = Date.UTC(2026, 0, 1, 8);
const shifts = {
  parameters: { shiftDurationMs: 3_600_000, registrationDurationMs: 86_400_000, requiredBond: '18446744073709551615' },
  state: { scheduler: { operator: cora, shiftStart: start }, hubOracle: true, active: [anna, cora] },
};
const input = JSON.stringify(shifts);

test('shift timetable lists who is on, in any zone', () => {
  const { stdout } = horae(['shift', 'timetable', '-', '--from', String(start), '-n', '3', '-z', 'Europe/Berlin'], {
    input,
  });
  expect(stdout).toBe(
    [
      `2026-01-01T09:00:00+01:00  2026-01-01T10:00:00+01:00  ${cora}`,
      `2026-01-01T10:00:00+01:00  2026-01-01T11:00:00+01:00  ${anna}`,
      `2026-01-01T11:00:00+01:00  2026-01-01T12:00:00+01:00  ${cora}\n`,
    ].join('\n'),
  );
});

test('shift next tells the shift and what to submit', () => {
  const words = ['shift', 'next', '-', anna, '--at', '2026-01-01T08:00Z'];
  expect(horae(words, { input }).stdout).toContain('2026-01-01T09:00:00+00:00 to 2026-01-01T10:00:00+00:00, in 1 hour');
  expect(JSON.parse(horae([...words, '--json'], { input }).stdout)).toMatchObject({
    shift: { operator: anna, start: start + 3_600_000 },
    plan: { possible: true, redeemer: 'advance', requiredSigner: anna },
  });
});

test('shift check takes the plan of shift next, and names every rule that a bad transaction breaks', () => {
  const folder = scratchFolder();
  writeFileSync(join(folder, 'state.json'), input);
  const { plan } = JSON.parse(
    horae(['shift', 'next', 'state.json', anna, '--at', String(start), '--json'], { cwd: folder }).stdout,
  );
  const good = horae(['shift', 'check', 'state.json', '-'], { cwd: folder, input: JSON.stringify(plan.transaction) });
  expect(good).toEqual({ code: 0, stdout: 'legal: advance\n', stderr: '' });
  const wrong = { ...plan.transaction, signatories: [], mint: { hubOracle: 1, scheduler: 0 } };
  const bad = horae(['shift', 'check', 'state.json', '-'], { cwd: folder, input: JSON.stringify(wrong) });
  expect(bad.code).toBe(1);
  expect(bad.stdout).toContain('  mint-unchanged: expected');
  expect(bad.stdout).toContain('  operator-consent: expected');
});

test('shift simulate repeats with its seed', () => {
  const words = [
    'shift',
    'simulate',
    '-',
    '--cycles',
    '50',
    '--absences',
    '0.2',
    '--joins',
    '0.5',
    '--seed',
    '7',
    '--json',
  ];
  const once = horae(words, { input }).stdout;
  expect(horae(words, { input }).stdout).toBe(once);
  expect(JSON.parse(once)).toMatchObject({ seed: 7 });
  expect(JSON.parse(once).missed).toBeGreaterThan(0);
});

test.each([
  {
    story: 'a state that is none',
    words: ['timetable', '-'],
    given: '{"parameters":{}}',
    says: 'parameters.shiftDurationMs',
  },
  {
    story: 'a key that is none',
    words: ['timetable', '-'],
    given: input.replace(anna, 'ANNA'),
    says: 'state.active.0 (line 1): expected 56 lower case hex digits, got "ANNA"',
  },
  { story: 'an operator that is none', words: ['next', '-', 'anna'], given: input, says: '"anna" is no operator' },
  {
    story: 'an active list out of order',
    words: ['timetable', '-'],
    given: JSON.stringify({ ...shifts, state: { ...shifts.state, active: [cora, anna] } }),
    says: 'active',
  },
])('shift refuses $story', ({ words, given, says }) => {
  const { code, stdout, stderr } = horae(['shift', ...words], { input: given });
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain(says);
});

test('long work shows progress on a terminal and nothing extra in a pipe', ({ skip }) => {
  const folder = scratchFolder();
  writeFileSync(join(folder, 'state.json'), input);
  const words = ['shift', 'simulate', 'state.json', '--cycles', '200000'];
  const piped = horae(words, { cwd: folder });
  expect(piped.stderr).toBe('');
  expect(piped.stdout).toMatch(/^400000 shifts, 0 missed, .*\n$/);
  const reason = noTerminal();
  if (reason !== undefined) skip(reason);
  expect(horaeOnTerminal(words, { cwd: folder }).screen).toContain('100,000 shifts …');
});

test('demo runs the server that it finds, and says what to do when there is none', () => {
  const folder = scratchFolder();
  const none = horae(['demo'], { cwd: folder, env: { HORAE_DEMO: join(folder, 'server.js') } });
  expect(none.code).toBe(1);
  expect(none.stderr).toMatch(/^hint: clone the repository and run "npm start"/m);
  writeFileSync(join(folder, 'server.mjs'), 'console.log("demo with", ...process.argv.slice(2))');
  const found = horae(['demo', '--port', '4321'], { cwd: folder, env: { HORAE_DEMO: join(folder, 'server.mjs') } });
  expect(found).toMatchObject({ code: 0, stdout: 'demo with --port 4321\n' });
});
