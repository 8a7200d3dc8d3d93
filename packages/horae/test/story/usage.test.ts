import { describe, expect, test } from 'vitest';
import { horae, horaeInShell, horaeOnTerminal, noTerminal, scratchFolder } from '../support/run-horae.js';

const tree: Readonly<Record<string, readonly string[]>> = {
  cron: ['next', 'prev', 'check', 'describe', 'explain', 'overlap', 'calendar'],
  tasks: ['run', 'inspect', 'explain', 'history'],
  ring: ['serve', 'add', 'list', 'start', 'stop', 'trigger', 'runs', 'executors', 'log'],
  sim: ['run'],
  rewrite: ['plan'],
  shift: ['timetable', 'next', 'check', 'simulate', 'catch-up', 'encode', 'decode', 'keep'],
};
const leaves = [
  ...Object.entries(tree).flatMap(([group, names]) => names.map((name) => `${group} ${name}`)),
  'demo',
  'completion',
];

test('horae alone, with help and with --help shows what there is', () => {
  const bare = horae([]);
  expect(bare.code).toBe(0);
  for (const name of [...Object.keys(tree), 'demo', 'completion']) expect(bare.stdout).toContain(`  ${name} `);
  expect(horae(['help']).stdout).toBe(bare.stdout);
  expect(horae(['--help']).stdout).toBe(bare.stdout);
});

test.each(leaves)('"horae %s --help" teaches by example and takes --json', (leaf) => {
  const { code, stdout, stderr } = horae([...leaf.split(' '), '--help']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('EXAMPLES');
  expect(stdout.split('EXAMPLES')[1]).toMatch(/^ {2}# .+\n {2}\S/m);
  expect(stdout).toContain('--json');
  expect(stdout).not.toContain('\u001B');
});

test.each(Object.keys(tree))('"horae %s" without a command is wrong usage and shows the commands', (group) => {
  const { code, stdout, stderr } = horae([group]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  for (const name of tree[group]!) expect(stderr).toContain(name);
  expect(stderr).toMatch(/^hint: one of /m);
});

describe('wrong usage is exit code 2, with a hint', () => {
  test.each([
    {
      story: 'an unknown command',
      words: ['corn'],
      says: 'unknown command "horae corn"',
      hint: 'did you mean "horae cron"?',
    },
    {
      story: 'an unknown subcommand',
      words: ['cron', 'nxt'],
      says: 'unknown command',
      hint: 'did you mean "horae cron next"?',
    },
    {
      story: 'a subcommand that nobody could mean',
      words: ['shift', 'zzzzzz'],
      says: 'unknown command',
      hint: 'there are timetable',
    },
    { story: 'a name from the prototype', words: ['constructor'], says: 'unknown command', hint: 'there are cron' },
    { story: 'a missing word', words: ['cron', 'next'], says: 'needs <expression>', hint: '--help' },
    { story: 'a second missing word', words: ['cron', 'overlap', '* * * * *'], says: 'needs <other>', hint: '--help' },
    {
      story: 'words too many',
      words: ['cron', 'next', '0', '9', '*'],
      says: 'put the expression in quotes',
      hint: '--help',
    },
    {
      story: 'an unknown option',
      words: ['cron', 'next', '* * * * *', '--zoen=UTC'],
      says: 'unknown option --zoen',
      hint: '--zone',
    },
    {
      story: 'an option without its value',
      words: ['cron', 'next', '* * * * *', '--zone'],
      says: '--zone',
      hint: '--help',
    },
    {
      story: 'a flag with a value',
      words: ['cron', 'next', '* * * * *', '--json=yes'],
      says: '--json',
      hint: '--help',
    },
    {
      story: 'a number that is none',
      words: ['cron', 'next', '* * * * *', '-n', 'ten'],
      says: 'got "ten"',
      hint: '--count 5',
    },
    {
      story: 'a number out of bounds',
      words: ['cron', 'next', '* * * * *', '-n', '0'],
      says: 'from 1 to',
      hint: '--count',
    },
    {
      story: 'a choice that is none',
      words: ['cron', 'next', '* * * * *', '--dialect', 'unix'],
      says: 'posix, vixie, quartz',
      hint: '--help',
    },
    {
      story: 'check with nothing to check',
      words: ['cron', 'check'],
      says: 'needs an expression or --crontab',
      hint: 'horae cron',
    },
    {
      story: 'an unknown shell',
      words: ['completion', 'tcsh'],
      says: 'no script for "tcsh"',
      hint: 'bash, zsh or fish',
    },
    { story: 'an option of a group', words: ['cron', '--verbose'], says: 'unknown option --verbose', hint: '--help' },
  ])('$story', ({ words, says, hint }) => {
    const { code, stdout, stderr } = horae(words);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(says);
    expect(stderr.split('\n').find((line) => line.startsWith('hint: '))).toContain(hint);
    expect(stderr).not.toContain('    at ');
  });

  test('as JSON when asked for', () => {
    const { code, stderr } = horae(['cron', 'next', '--json']);
    expect(code).toBe(2);
    expect(JSON.parse(stderr)).toMatchObject({
      error: { code: 'wrong-usage', hint: expect.stringContaining('--help') },
    });
  });
});

describe('bad input is exit code 1, with a hint', () => {
  test.each([
    { story: 'an expression', words: ['cron', 'next', '0 9 * *'], says: '0 9 * *', hint: 'five fields' },
    { story: 'a zone', words: ['cron', 'next', '* * * * *', '--zone', 'Mars/Base'], says: 'Mars/Base', hint: 'IANA' },
    {
      story: 'an instant',
      words: ['cron', 'next', '* * * * *', '--from', 'tomorrow'],
      says: '"tomorrow"',
      hint: '2026-03-29',
    },
    {
      story: 'a date that never comes',
      words: ['cron', 'next', '0 0 30 2 *'],
      says: 'no next occurrence',
      hint: 'no such date',
    },
    {
      story: 'a window that ends first',
      words: ['cron', 'overlap', '* * * * *', '* * * * *', '--from', '2026-02-01', '--to', '2026-01-01'],
      says: '--to must be after',
      hint: 'swap',
    },
    {
      story: 'a month',
      words: ['cron', 'calendar', '* * * * *', '--month', '2026-13'],
      says: '"2026-13"',
      hint: '2026-03',
    },
    {
      story: 'no expression in standard input',
      words: ['cron', 'describe', '-'],
      says: 'got 0 lines',
      hint: '--crontab -',
    },
    {
      story: 'a file that is not there',
      words: ['sim', 'run', 'nowhere.yaml'],
      says: 'no file nowhere.yaml',
      hint: 'check the path',
    },
    { story: 'a folder', words: ['rewrite', 'plan', '.'], says: 'is a folder', hint: 'a file' },
    {
      story: 'a configuration that is not there',
      words: ['tasks', 'run', 'nowhere.ts'],
      says: 'no file nowhere.ts',
      hint: 'path',
    },
  ])('$story', ({ words, says, hint }) => {
    const { code, stdout, stderr } = horae(words, { cwd: scratchFolder() });
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(says);
    expect(stderr.split('\n').find((line) => line.startsWith('hint: '))).toContain(hint);
    expect(stderr).not.toContain('    at ');
  });
});

test('--version is the version of the package', () => {
  expect(horae(['--version']).stdout).toMatch(/^\d+\.\d+\.\d+\S*\n$/);
});

test('completion for bash completes commands, options and values', () => {
  const complete = (words: string) =>
    horaeInShell(
      `horae completion bash > c.sh; bash -c 'source ./c.sh; COMP_WORDS=(${words}); COMP_CWORD=$((\${#COMP_WORDS[@]}-1)); _horae; echo "\${COMPREPLY[*]}"'`,
      { cwd: scratchFolder() },
    ).stdout.trim();
  expect(complete('horae c')).toBe('cron completion');
  expect(complete('horae shift t')).toBe('timetable');
  expect(complete('horae cron next --z')).toBe('--zone');
  expect(complete('horae cron next --dialect q')).toBe('quartz');
});

test.each(['zsh', 'fish'])('completion for %s names every command', (shell) => {
  const { code, stdout } = horae(['completion', shell]);
  expect(code).toBe(0);
  const words = [...Object.keys(tree), ...Object.values(tree).flat()];
  expect(words.filter((word) => !new RegExp(`\\b${word}\\b`).test(stdout))).toEqual([]);
});

test('help has colours on a terminal', ({ skip }) => {
  const reason = noTerminal();
  if (reason !== undefined) skip(reason);
  const { code, screen } = horaeOnTerminal(['cron', '--help'], {
    env: { NO_COLOR: '', CI: '', TEST: '', TERM: 'xterm' },
  });
  expect(code).toBe(0);
  expect(screen).toContain('\u001B[');
});
