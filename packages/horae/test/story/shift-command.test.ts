import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { horae, scratchFolder } from '../support/run-horae.js';

const [anna, cora] = ['a'.repeat(56), 'c'.repeat(56)];
const start = Date.UTC(2026, 0, 1, 8);
const HOUR = 3_600_000;
const file = (state: object = {}, parameters: object = {}) =>
  JSON.stringify({
    parameters: { shiftDurationMs: HOUR, registrationDurationMs: 86_400_000, requiredBond: '100', ...parameters },
    state: { scheduler: { operator: cora, shiftStart: start }, hubOracle: true, active: [anna, cora], ...state },
  });
const json = (words: readonly string[], input: string) => JSON.parse(horae([...words, '--json'], { input }).stdout);

test('next shows the whole window, and how many transitions are missing before it', () => {
  const words = ['shift', 'next', '-', anna, '--at'];
  expect(json([...words, String(start)], file())).toMatchObject({ missing: 0 });
  expect(json([...words, String(start + 4 * HOUR + 1)], file())).toMatchObject({
    missing: 4,
    shift: { start: start + 5 * HOUR },
  });
  const { stdout } = horae([...words, String(start + 4 * HOUR + 1)], { input: file() });
  expect(stdout).toContain('4 transitions are missing before it');
  expect(horae(['shift', 'next', '--help']).stdout).toContain('missing   how many transitions');
  const soon = horae([...words, String(start)], { input: file() }).stdout;
  expect(soon).toContain('valid from 2026-01-01T09:00:00+00:00 until 2026-01-01T10:00:00+00:00, signed by aaaa');
});

test('the edition of the file decides', () => {
  const words = ['shift', 'next', '-', anna, '--at', String(start)];
  expect(json(words, file({}, { edition: '2026-05' })).plan).toMatchObject({
    requiredSigner: null,
    validity: { from: start + HOUR + 1, to: null },
  });
  const { code, stderr } = horae(words, { input: file({}, { edition: '2024' }) });
  expect([code, stderr]).toEqual([1, expect.stringContaining('parameters.edition')]);
});

test('catch-up lists what has to be submitted, in order', () => {
  const words = ['shift', 'catch-up', '-', '--at', String(start + 3 * HOUR)];
  expect(json(words, file()).plans).toHaveLength(2);
  expect(json(words, file({}, { edition: '2026-05' })).plans).toHaveLength(2);
  expect(horae(words, { input: file() }).stdout.split('\n')[0]).toBe(
    `advance for ${anna}, valid from 2026-01-01T11:00:00+00:00 without an end, unsigned`,
  );
  expect(horae(['shift', 'catch-up', '-', '--at', String(start)], { input: file() }).stdout).toBe(
    'nothing was missed\n',
  );
});

describe('encode and decode', () => {
  test.each<{ words: string[]; value: unknown; hex: string }>([
    { words: ['datum'], value: { operator: anna, shiftStart: 1 }, hex: `d8799f581c${anna}01ff` },
    { words: ['redeemer'], value: { type: 'advance', outputIndex: 0, activeNodeIndex: 1 }, hex: 'd8799f0001ff' },
    {
      words: ['redeemer', '--edition', '2026-05'],
      value: { type: 'advance', inputIndex: 2, outputIndex: 0, activeNodeIndex: 1 },
      hex: 'd8799f020001ff',
    },
    { words: ['mint'], value: 'deinit', hex: 'd87a80' },
    {
      words: ['element'],
      value: {
        element: 'node',
        data: { constructor: 0, fields: [{ bytes: anna }, { list: [{ int: 5 }] }] },
        link: '0199',
      },
      hex: `d8799fd87a9fd8799f581c${anna}9f05ffffffd8799f420199ffff`,
    },
    {
      words: ['element', '--edition', '2025'],
      value: { key: null, link: anna, data: { bytes: '' } },
      hex: `d8799fd87a80d8799f581c${anna}ff40ff`,
    },
  ])('$words', ({ words: [kind = '', ...rest], value, hex }) => {
    expect(horae(['shift', 'encode', kind, JSON.stringify(value), ...rest])).toEqual({
      code: 0,
      stdout: `${hex}\n`,
      stderr: '',
    });
    expect(JSON.parse(horae(['shift', 'decode', kind, hex, ...rest, '--json']).stdout)).toEqual(value);
    expect(JSON.parse(horae(['shift', 'decode', kind, '-', ...rest], { input: hex }).stdout)).toEqual(value);
  });

  test.each([
    { words: ['encode', 'letter', '1'], says: '"letter" is no kind of value' },
    { words: ['encode', 'datum', '{'], says: 'this is no JSON' },
    { words: ['encode', 'element', '{"element":"root","data":7}'], says: 'this is no data' },
    { words: ['encode', 'mint', '"init"', '--edition', '2024'], says: "'2025' or '2026-05'" },
    { words: ['decode', 'datum', 'xyz'], says: 'this is no hex' },
    { words: ['decode', 'redeemer', 'd8799f0001ff', '--edition', '2026-05'], says: 'should have 3 fields, found 2' },
  ])('$words is refused', ({ words, says }) => {
    const { code, stdout, stderr } = horae(['shift', ...words]);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toContain(says);
  });
});

describe('a state that the chain never leaves behind', () => {
  const odd = [
    {
      story: 'two activation times that are equal',
      registered: ['d', 'e'].map((digit) => ({ operator: digit.repeat(56), activationTime: 5 })),
    },
    { story: 'an operator active and registered', registered: [{ operator: anna, activationTime: 5 }] },
    {
      story: 'a queue out of order',
      registered: ['d', 'e'].map((digit, at) => ({ operator: digit.repeat(56), activationTime: 5 + at })),
    },
  ];
  const commands = [
    ['timetable', '-'],
    ['next', '-', anna],
    ['simulate', '-'],
    ['catch-up', '-'],
  ];
  test.each(odd.flatMap((each) => commands.map((words) => ({ ...each, words }))))(
    '$words warns of $story',
    ({ words, registered }) => {
      const { stderr, stdout } = horae(['shift', ...words], { input: file({ registered }) });
      expect(`${stderr}${stdout}`).toMatch(/^warning: state\.registered/m);
    },
  );

  test.each(odd)('check and keep warn of $story', ({ registered }) => {
    const folder = scratchFolder();
    const { parameters, state } = JSON.parse(file({ registered }));
    const plan = json(['shift', 'next', '-', anna, '--at', String(start)], file());
    writeFileSync(join(folder, 'state.json'), file({ registered }));
    writeFileSync(join(folder, 'transaction.json'), JSON.stringify(plan.plan.transaction));
    writeFileSync(join(folder, 'keeper.json'), JSON.stringify({ operator: anna, parameters, ledger: { state } }));
    for (const words of [
      ['check', 'state.json', 'transaction.json'],
      ['keep', 'keeper.json', '--check'],
    ]) {
      const { stderr } = horae(['shift', ...words], { cwd: folder });
      expect(stderr).toMatch(/^warning: state\.registered/m);
    }
  });
});

test('the transaction that the help shows is legal in the state that it shows', () => {
  const { stdout } = horae(['shift', 'check', '--help']);
  const [, state = '', transaction = ''] = stdout.split(/STATE FILE.*\n|TRANSACTION FILE.*\n|EXAMPLES\n/);
  const folder = scratchFolder();
  writeFileSync(join(folder, 'state.yaml'), state);
  writeFileSync(join(folder, 'transaction.yaml'), transaction);
  expect(horae(['shift', 'check', 'state.yaml', 'transaction.yaml'], { cwd: folder })).toEqual({
    code: 0,
    stdout: 'legal: advance\n',
    stderr: '',
  });
});

describe('keep', () => {
  const config = (changes: object = {}) => ({
    operator: anna,
    ...JSON.parse(file()),
    state: undefined,
    ledger: { state: JSON.parse(file()).state },
    ...changes,
  });
  const run = (document: object, ...words: string[]) => {
    const folder = scratchFolder();
    writeFileSync(join(folder, 'keeper.json'), JSON.stringify(document));
    return horae(['shift', 'keep', 'keeper.json', ...words], { cwd: folder });
  };

  test('--check reads the state once', () => {
    const { code, stdout } = run(config(), '--check');
    expect({ code, stdout }).toEqual({ code: 0, stdout: `${cora} since ${start}, 2 active, 0 registered\n` });
  });

  const contract = { policyId: 'ab'.repeat(28), address: 'addr_test1x' };
  const chain = {
    network: 'preprod',
    provider: { kind: 'blockfrost', url: 'http://127.0.0.1:9', projectIdEnv: 'NO_SUCH_SECRET' },
    contracts: { hubOracle: contract, scheduler: contract, active: contract, registered: contract, retired: contract },
    walletAddress: 'addr_test1x',
    scriptAddress: 'addr_test1x',
    signingKeyFiles: ['payment.skey'],
    protocol: {
      ...{ minFeeA: 44, minFeeB: 1, coinsPerUtxoByte: 1, priceMemory: 1, priceSteps: 1, maxTxSize: 1, maxTxMemory: 1 },
      ...{ maxTxSteps: 1, collateralPercentage: 1, maxCollateralInputs: 1, refScriptCostPerByte: 1 },
      costModels: { PlutusV3: [1] },
    },
    executionUnits: { memory: 1, steps: 1 },
  };

  test.each([
    { story: 'neither a chain nor a ledger', document: config({ ledger: undefined }), says: 'either chain or ledger' },
    { story: 'a secret that is not set', document: config({ ledger: undefined, chain }), says: 'NO_SUCH_SECRET' },
    {
      story: 'a key file that is not there',
      document: config({
        ledger: undefined,
        chain: { ...chain, provider: { kind: 'koios', url: 'http://127.0.0.1:9' } },
      }),
      says: 'payment.skey holds no signing key',
    },
    { story: 'an operator that is none', document: config({ operator: 'me' }), says: 'operator' },
  ])('refuses $story', ({ document, says }) => {
    const { code, stderr } = run(document, '--check');
    expect(code).toBe(1);
    expect(stderr).toContain(says);
  });
});
