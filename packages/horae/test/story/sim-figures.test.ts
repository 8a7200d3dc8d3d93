import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventsCsv, loadScenario, replicate, runScenario, summarize, sweep } from '@horae/epoch-sim';
import { expect, test } from 'vitest';
import { horae, scratchFolder } from '../support/run-horae.js';

const queue = `
epoch: { index: 0, start_at: 2026-07-01T08:00:00, end_at: 480 }
lock_defs: { desk: { capacity: 1 } }
action_defs: { serve: { base_duration_min: { kind: exponential, mean: 8 }, locks: [desk] } }
arrivals: [{ verb: serve, every: { kind: exponential, mean: 10 }, id: "c{n}" }]
actions_submitted: []
`;

test('sim run --summary prints figures, and with --json the summary', () => {
  const { code, stdout } = horae(['sim', 'run', '-', '--summary'], { input: queue });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^locks\.desk\.utilisation +0\.\d+$/m);
  const summary = JSON.parse(horae(['sim', 'run', '-', '--summary', '--json'], { input: queue }).stdout);
  expect(summary).toMatchObject({ from: 0, to: 480, locks: { desk: { capacity: 1 } } });
  const other = JSON.parse(horae(['sim', 'run', '-', '--summary', '--json', '--seed', 'x'], { input: queue }).stdout);
  expect(other.locks.desk.utilisation).not.toBe(summary.locks.desk.utilisation);
});

test('sim run --runs prints estimates that do not depend on the workers', () => {
  const alone = horae(['sim', 'run', '-', '--runs', '6', '--seed', '3', '--json'], { input: queue });
  const shared = horae(['sim', 'run', '-', '--runs', '6', '--seed', '3', '--workers', '2', '--json'], { input: queue });
  expect(JSON.parse(shared.stdout)).toEqual(JSON.parse(alone.stdout));
  expect(JSON.parse(alone.stdout).estimates['locks.desk.utilisation'].runs).toBe(6);
  expect(horae(['sim', 'run', '-', '--runs', '2'], { input: queue }).stdout).toMatch(
    /^2 runs\nfigure +mean +low +high/,
  );
  expect(horae(['sim', 'run', '-', '--runs', '0'], { input: queue }).code).not.toBe(0);
});

test('sim run writes tables and a report', () => {
  const folder = scratchFolder();
  expect(horae(['sim', 'run', '-', '--csv', 'out', '--report', 'r.html'], { input: queue, cwd: folder }).code).toBe(0);
  for (const name of ['events', 'bars', 'figures']) expect(existsSync(join(folder, 'out', `${name}.csv`))).toBe(true);
  expect(readFileSync(join(folder, 'r.html'), 'utf8')).toContain('</html>');
  const lost = horae(['sim', 'run', '-', '--report', 'no/such/r.html'], { input: queue, cwd: folder });
  expect(lost.code).toBe(1);
  expect(lost.stderr).toContain('cannot be written');
});

test('sim run --runs with --csv, --report and --gantt writes those of the first run', () => {
  const folder = scratchFolder();
  const all = ['--summary', '--csv', 'out', '--report', 'r.html', '--gantt', 'g.svg', '--seed', '7'];
  const { code, stdout } = horae(['sim', 'run', '-', '--runs', '3', ...all], { input: queue, cwd: folder });
  expect(code).toBe(0);
  expect(stdout).toMatch(/^3 runs\n/);
  const first = runScenario(loadScenario(queue), { seed: '7:0' });
  expect(readFileSync(join(folder, 'out', 'events.csv'), 'utf8')).toBe(eventsCsv(first));
  expect(readFileSync(join(folder, 'r.html'), 'utf8')).toContain('</html>');
  expect(readFileSync(join(folder, 'g.svg'), 'utf8')).toContain('<svg');
});

test('with --json the values are those of the functions, for a seed that is a number too', async () => {
  const scenario = loadScenario(queue);
  const json = (...words: string[]) => JSON.parse(horae([...words, '--json'], { input: queue }).stdout) as unknown;
  expect(json('sim', 'run', '-', '--summary', '--seed', '7')).toEqual(summarize(runScenario(scenario, { seed: 7 })));
  expect(json('sim', 'run', '-', '--runs', '3', '--seed', '7')).toEqual(
    await replicate(scenario, { runs: 3, seed: 7 }),
  );
  const path = 'lock_defs.desk.capacity';
  expect(json('sim', 'sweep', '-', '--set', `${path}=1,2`, '--runs', '2')).toEqual(
    await sweep(scenario, { [path]: [1, 2] }, { runs: 2 }),
  );
});

test('figures of locks with commas and quotes in their names have their names', () => {
  const odd = queue.replaceAll('desk', '"desk, \'left\'"');
  expect(horae(['sim', 'run', '-', '--summary'], { input: odd }).stdout).toMatch(/^locks\.desk, 'left'\.capacity +1$/m);
});

test('sim sweep takes several --set, and values that are JSON', () => {
  const words = [
    '--set',
    'lock_defs.desk.capacity=1,2',
    '--set',
    'arrivals.0.every={"kind":"fixed","value":3},*/5 * * * *',
  ];
  const { code, stdout } = horae(['sim', 'sweep', '-', ...words, '--runs', '1', '--json'], { input: queue });
  expect(code).toBe(0);
  const points = JSON.parse(stdout) as { point: Record<string, unknown> }[];
  const every = [{ kind: 'fixed', value: 3 }, '*/5 * * * *'];
  expect(points.map(({ point }) => Object.values(point))).toEqual(
    [1, 2].flatMap((capacity) => every.map((gap) => [capacity, gap])),
  );
  const twice = horae(['sim', 'sweep', '-', '--set', 'a=1', '--set', 'a=2', '--runs', '1'], { input: queue });
  expect(twice.code).toBe(2);
  expect(twice.stderr).toContain('--set names "a" twice');
});

test('sim sweep refuses a misspelt path instead of showing the same figures at each point', () => {
  const { code, stdout, stderr } = horae(['sim', 'sweep', '-', '--set', 'lock_defs.desk.capacty=1,2', '--runs', '1'], {
    input: queue,
  });
  expect(code).not.toBe(0);
  expect(stdout).toBe('');
  expect(stderr).toContain('"lock_defs.desk" has no "capacty"');
});

test('sim sweep runs every combination', () => {
  const folder = scratchFolder();
  writeFileSync(join(folder, 'queue.yaml'), queue);
  const sets = 'lock_defs.desk.capacity=1,2;arrivals.0.every.mean=10,20';
  const { code, stdout } = horae(['sim', 'sweep', 'queue.yaml', '--set', sets, '--runs', '2', '--json'], {
    cwd: folder,
  });
  expect(code).toBe(0);
  const points = JSON.parse(stdout) as { point: Record<string, number> }[];
  expect(points.map(({ point }) => Object.values(point).join())).toEqual(['1,10', '1,20', '2,10', '2,20']);
  const one = horae(['sim', 'sweep', 'queue.yaml', '--set', 'lock_defs.desk.capacity=2', '--runs', '2'], {
    cwd: folder,
  });
  expect(one.stdout).toContain('lock_defs.desk.capacity = 2\n2 runs');
  expect(horae(['sim', 'sweep', 'queue.yaml', '--set', 'nothing', '--runs', '2'], { cwd: folder }).stderr).toContain(
    '--set',
  );
});

test('the branch that the help shows can be run on the scenario that it shows', () => {
  const help = horae(['sim', 'run', '--help']).stdout;
  const part = (from: string, to: string) => help.slice(help.indexOf(from) + from.length, help.indexOf(to));
  const strip = (text: string) =>
    text
      .split('\n')
      .map((line) => line.replace(/^ {2}/, ''))
      .join('\n');
  const folder = scratchFolder();
  writeFileSync(join(folder, 'scenario.yaml'), strip(part('SCENARIO\n', 'BRANCH (')));
  const rest = help.slice(help.indexOf('BRANCH (')).split('\n').slice(1);
  const end = rest.findIndex((line) => line !== '' && !line.startsWith(' '));
  writeFileSync(join(folder, 'branch.yaml'), strip(rest.slice(0, end < 0 ? rest.length : end).join('\n')));
  const { code, stdout, stderr } = horae(['sim', 'run', 'scenario.yaml', '--branch', 'branch.yaml'], { cwd: folder });
  expect(stderr).toBe('');
  expect(code).toBe(0);
  expect(stdout).toContain('the first difference is at minute 25');
});
