import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { horae, horaeInShell, horaeOnTerminal, noTerminal, scratchFolder } from '../support/run-horae.js';

const lines = (text: string) => text.trimEnd().split('\n');

test('next prints one instant a line in local time of the zone', () => {
  const { code, stdout, stderr } = horae([
    ...['cron', 'next', '0 9 * * 1-5', '--zone', 'Europe/Berlin'],
    ...['--from', '2026-03-27T12:00', '--count', '2'],
  ]);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(lines(stdout)).toEqual(['2026-03-30T09:00:00+02:00', '2026-03-31T09:00:00+02:00']);
});

test('next is strictly after the instant, and skips the hour that the clock change leaves out', () => {
  const { stdout } = horae(['cron', 'next', '30 2 * * *', '-z', 'Europe/Berlin', '-f', '2026-03-28T02:30', '-n', '2']);
  expect(lines(stdout)).toEqual(['2026-03-30T02:30:00+02:00', '2026-03-31T02:30:00+02:00']);
});

test('next answers programs with JSON on one line', () => {
  const { stdout } = horae(['cron', 'next', '0 0 1 1 *', '--zone=UTC', '--from=2026-01-01', '--count=1', '--json']);
  expect(lines(stdout)).toHaveLength(1);
  expect(JSON.parse(stdout)).toEqual({
    expression: '0 0 1 1 *',
    dialect: 'posix',
    zone: 'UTC',
    from: '2026-01-01T00:00:00.000Z',
    occurrences: [{ at: 1798761600000, utc: '2027-01-01T00:00:00.000Z', local: '2027-01-01T00:00:00+00:00' }],
  });
});

test('next without an instant begins now', () => {
  const { occurrences, from } = JSON.parse(horae(['cron', 'next', '* * * * *', '-n', '1', '--json']).stdout);
  const wait = occurrences[0].at - Date.parse(from);
  expect(wait).toBeGreaterThan(0);
  expect(wait).toBeLessThanOrEqual(60_000);
});

test('prev goes back, latest first, strictly before the instant', () => {
  const { stdout } = horae(['cron', 'prev', '0 0 29 2 *', '-z', 'UTC', '-f', '2024-02-29T00:00Z', '-n', '2']);
  expect(lines(stdout)).toEqual(['2020-02-29T00:00:00+00:00', '2016-02-29T00:00:00+00:00']);
});

test('an expression may come through standard input', () => {
  const { stdout } = horae(['cron', 'next', '-', '-z', 'UTC', '-f', '2026-01-01', '-n', '1'], {
    input: '0 12 * * *\n',
  });
  expect(lines(stdout)).toEqual(['2026-01-01T12:00:00+00:00']);
});

test('Quartz is a dialect', () => {
  const { stdout } = horae([
    'cron',
    'next',
    '30 0 9 ? * MON#1',
    '--dialect',
    'quartz',
    '-z',
    'UTC',
    '-f',
    '2026-03-01',
    '-n',
    '1',
  ]);
  expect(lines(stdout)).toEqual(['2026-03-02T09:00:30+00:00']);
});

test('a reader that has enough is no error', () => {
  const { code, stdout, stderr } = horaeInShell('horae cron next "* * * * *" --count 100000 | head -1');
  expect({ code, lines: lines(stdout).length, stderr }).toEqual({ code: 0, lines: 1, stderr: '' });
});

test('check says that an expression is right, and what might surprise', () => {
  const { code, stdout } = horae(['cron', 'check', '30 2 * * *', '--zone', 'Europe/Berlin']);
  expect(code).toBe(0);
  expect(lines(stdout)[0]).toBe('right: 30 2 * * *');
  expect(stdout).toMatch(/warning: .*clock/i);
});

test('check points at the fault and offers the fix', () => {
  const { code, stdout, stderr } = horae(['cron', 'check', '0 0 * * mon']);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain('0 0 * * mon\n        ^^^ ');
  expect(stderr).toContain('hint: did you mean "0 0 * * 1"?');
});

test.each([
  [['next', '*/5 * * * *'], 'hint: did you mean "0,5,10,15,20,25,30,35,40,45,50,55 * * * *"? --dialect vixie reads it'],
  [['overlap', '0 9 * * *', '*/5 * * * *'], '--dialect vixie reads it as it is'],
  [['describe', '0 0 9 ? * 2L'], '--dialect quartz reads it as it is'],
])('the hint about %j names the dialect that reads it', (words, hint) => {
  const { code, stderr } = horae(['cron', ...words]);
  expect(code).toBe(1);
  expect(stderr).toContain(hint);
});

test('an error is JSON too when JSON is asked for', () => {
  const { code, stdout, stderr } = horae(['cron', 'next', '61 * * * *', '--json']);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(JSON.parse(stderr).error).toMatchObject({
    code: 'cron-invalid-expression',
    details: { field: 'minute', column: 1, length: 2, expression: '61 * * * *' },
  });
});

test('check reads a crontab and names the wrong lines', () => {
  const folder = scratchFolder();
  writeFileSync(
    join(folder, 'crontab'),
    '# nightly\nMAILTO=ops\n0 3 * * * backup\n*/5 * * * * poll\n60 * * * * never\n',
  );
  const bad = horae(['cron', 'check', '--crontab', 'crontab'], { cwd: folder });
  expect(bad.code).toBe(1);
  expect(bad.stdout).toContain('line 5:');
  expect(bad.stdout).toContain('3 entries, 1 wrong');
  const strict = horae(['cron', 'check', '--crontab', 'crontab', '--dialect', 'posix'], { cwd: folder });
  expect(strict.stdout).toContain('3 entries, 2 wrong');
  const piped = horae(['cron', 'check', '--crontab', '-', '--json'], { input: '0 3 * * * backup\n' });
  expect(piped.code).toBe(0);
  expect(JSON.parse(piped.stdout)).toMatchObject({ ok: true, entries: [{ line: 1, command: 'backup', error: null }] });
});

test('a crontab line is read with --dialect vixie', () => {
  const words = ['cron', 'next', '*/30 9 * * mon', '--dialect', 'vixie', '-z', 'UTC', '-f', '2026-03-01', '-n', '2'];
  expect(lines(horae(words).stdout)).toEqual(['2026-03-02T09:00:00+00:00', '2026-03-02T09:30:00+00:00']);
});

test('next and prev leave out the times of a calendar file', () => {
  const folder = scratchFolder();
  const event = 'BEGIN:VEVENT\nDTSTART;VALUE=DATE:20261225\nEND:VEVENT';
  writeFileSync(join(folder, 'holidays.ics'), `BEGIN:VCALENDAR\n${event}\nEND:VCALENDAR\n`);
  writeFileSync(join(folder, 'closed.json'), '[{ "dates": ["12-25"] }, { "weekdays": [6] }]');
  writeFileSync(join(folder, 'wrong.json'), '{ "holidays": [] }');
  writeFileSync(join(folder, 'nothing.txt'), 'closed on Sundays');
  const ask = (file: string, verb = 'next') =>
    horae(['cron', verb, '0 9 * * *', '-z', 'UTC', '-f', '2026-12-24T12:00', '-n', '1', '--except', file], {
      cwd: folder,
    });
  expect(lines(ask('holidays.ics').stdout)).toEqual(['2026-12-26T09:00:00+00:00']);
  expect(lines(ask('closed.json').stdout)).toEqual(['2026-12-27T09:00:00+00:00']);
  expect(lines(ask('holidays.ics', 'prev').stdout)).toEqual(['2026-12-24T09:00:00+00:00']);
  expect(ask('wrong.json')).toMatchObject({ code: 1, stderr: expect.stringContaining('holidays') });
  expect(ask('nothing.txt')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('neither an iCalendar file nor JSON'),
  });
});

test('explain, overlap and calendar leave out the times of a calendar file too', () => {
  const folder = scratchFolder();
  writeFileSync(join(folder, 'closed.json'), '{ "dates": ["12-25"], "weekdays": [0] }');
  const ask = (...words: string[]) => {
    const { code, stdout, stderr } = horae([...words, '-z', 'UTC', '--except', 'closed.json'], { cwd: folder });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return stdout;
  };
  const christmas = ask('cron', 'explain', '0 9 * * *', '--at', '2026-12-25T09:00Z');
  expect(lines(christmas)[0]).toBe('"0 9 * * *" would match, but a calendar excludes 2026-12-25T09:00:00+00:00 (UTC)');
  const facts = (at: string) => JSON.parse(ask('cron', 'explain', '0 9 * * *', '--at', at, '--json'));
  expect(facts('2026-12-25T09:00Z')).toMatchObject({ matches: false, excluded: true });
  expect(facts('2026-12-24T09:00Z')).toMatchObject({ matches: true, excluded: false });
  expect(facts('2026-12-24T10:00Z')).toMatchObject({ matches: false, excluded: false });
  const window = ['--from', '2026-12-01', '--to', '2027-01-01', '--json'];
  expect(JSON.parse(ask('cron', 'overlap', '0 9 * * *', '0 9 25-27 * *', ...window))).toMatchObject({ count: 1 });
  // 31 days without four Sundays and Christmas.
  expect(ask('cron', 'calendar', '0 9 * * *', '--month', '2026-12')).toContain('2026-12  26 in all');
});

test('natural says the expression and what was understood', () => {
  expect(horae(['cron', 'natural', 'every weekday at 9']).stdout).toBe('0 9 * * 1-5\nAt 09:00 from Monday to Friday\n');
  expect(JSON.parse(horae(['cron', 'natural', 'werktags um 9', '--locale', 'de', '--json']).stdout)).toEqual({
    expression: '0 9 * * 1-5',
    reading: 'Um 09:00 Uhr von Montag bis Freitag',
  });
  expect(horae(['cron', 'natural', 'every blue moon'])).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('"moon"'),
  });
});

test('hash resolves H by a seed', () => {
  expect(horae(['cron', 'hash', 'H H * * *', '--seed', 'backup']).stdout).toBe('25 4 * * *\n');
  expect(horae(['cron', 'hash', 'H/0 * * * *', '--seed', 'backup']).code).toBe(1);
});

test('describe speaks five languages', () => {
  expect(horae(['cron', 'describe', '0 9 * * 1-5']).stdout).toBe('At 09:00 from Monday to Friday\n');
  expect(horae(['cron', 'describe', '0 9 * * 1-5', '--locale', 'de']).stdout).toBe(
    'Um 09:00 Uhr von Montag bis Freitag\n',
  );
  expect(horae(['cron', 'describe', '0 17 * * 1', '--hours', '12']).stdout).toBe('At 5:00 PM on Mondays\n');
  expect(horae(['cron', 'describe', '0 17 * * 1', '--locale', 'zh']).stdout).toBe('每星期一，17:00\n');
});

test('explain gives a verdict for each field', () => {
  const words = ['cron', 'explain', '0 9 13 * 5', '--at', '2026-03-06T09:00', '--zone', 'UTC'];
  const { stdout } = horae(words);
  expect(lines(stdout)[0]).toBe('"0 9 13 * 5" matches 2026-03-06T09:00:00+00:00 (UTC)');
  expect(lines(stdout)[3]).toMatch(/^no +day +6 +of 13 .*one of them is enough/);
  expect(JSON.parse(horae([...words, '--json']).stdout)).toMatchObject({ matches: true, fields: { length: 5 } });
});

test('overlap counts what two expressions share', () => {
  const words = [
    'cron',
    'overlap',
    '0 0 13 * *',
    '0 0 * * 5',
    '--from',
    '2026-01-01',
    '--to',
    '2027-01-01',
    '--zone',
    'UTC',
  ];
  expect(JSON.parse(horae([...words, '--json']).stdout)).toMatchObject({
    count: 3,
    firstLocal: '2026-02-13T00:00:00+00:00',
  });
  expect(horae(words).stdout).toContain('together 3 times');
  expect(horae(['cron', 'overlap', '0 0 30 2 *', '0 0 * * *']).stdout).toContain('never together');
});

test('calendar shows each day, with the day of the clock change', () => {
  const words = ['cron', 'calendar', '30 2 * * *', '--zone', 'Europe/Berlin', '--month', '2026-03'];
  const { stdout } = horae(words);
  expect(lines(stdout)[0]).toBe('2026-03  30 in all');
  expect(lines(stdout)[6]).toBe('   23:1   24:1   25:1   26:1   27:1   28:1   29:.');
  const { months } = JSON.parse(horae([...words, '--months', '12', '--json']).stdout);
  expect(months).toHaveLength(12);
  expect(months[7].days[24]).toEqual({ date: '2026-10-25', count: 2 });
});

test('calendar knows days that begin at one', () => {
  const words = ['cron', 'calendar', '0 * * * *', '--zone', 'America/Santiago', '--month', '2026-09', '--json'];
  const { months } = JSON.parse(horae(words).stdout);
  expect(months[0].days[5]).toEqual({ date: '2026-09-06', count: 23 });
});

test('a terminal also shows weekday and distance, a pipe does not', ({ skip }) => {
  const reason = noTerminal();
  if (reason !== undefined) skip(reason);
  const { code, screen } = horaeOnTerminal(['cron', 'next', '0 9 * * 1', '-n', '1', '-z', 'UTC']);
  expect(code).toBe(0);
  expect(screen).toMatch(/^\d{4}-\d\d-\d\dT09:00:00\+00:00 {2}Mon {2}in \d+ (day|hour|minute|second)s?\n$/);
});
