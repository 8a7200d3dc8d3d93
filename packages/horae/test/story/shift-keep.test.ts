import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { decodeSchedulerDatum } from '@horae/midgard-shift';
import { expect, test } from 'vitest';
import { contracts, koiosChain, paymentKey, scriptsAt, walletAddress } from '../support/koios-chain.js';
import { scratchFolder, startDaemon } from '../support/run-horae.js';

const [anna, cora] = ['a'.repeat(56), 'c'.repeat(56)];
const HOUR = 3_600_000;
const parameters = {
  shiftDurationMs: HOUR,
  registrationDurationMs: 24 * HOUR,
  requiredBond: '100',
  edition: '2026-05',
};
const event = (kind: string) => (line: Readonly<Record<string, unknown>>) => line.event === kind;

test('keep takes a shift on a ledger of its own, and says on SIGTERM what it did', async () => {
  const folder = scratchFolder();
  const state = {
    scheduler: { operator: cora, shiftStart: Date.now() - HOUR - 60_000 },
    hubOracle: true,
    active: [anna, cora],
  };
  const ledger = { database: 'sqlite:./ledger.db', state };
  writeFileSync(join(folder, 'keeper.json'), JSON.stringify({ operator: anna, parameters, ledger }));
  const daemon = startDaemon(['shift', 'keep', 'keeper.json', '--json'], { cwd: folder });
  await daemon.line(event('included'));
  daemon.kill('SIGTERM');
  expect(await daemon.ended).toMatchObject({ code: 0, stderr: '' });
  expect(daemon.lines.find(({ message }) => message === 'kept')).toMatchObject({ submissions: 1, failures: 0 });
});

test('keep builds, signs and submits on a real chain, with a key file of cardano-cli', async () => {
  const shiftStart = Date.now() - HOUR - 60_000;
  const chain = await koiosChain([anna, cora], { operator: cora, shiftStart });
  const folder = scratchFolder();
  writeFileSync(
    join(folder, 'payment.skey'),
    JSON.stringify({ type: 'PaymentSigningKeyShelley_ed25519', cborHex: `5820${paymentKey.to_hex()}` }),
  );
  const config = {
    operator: anna,
    parameters,
    keeper: { maxWindowMs: 300_000, clockSkewMs: 5_000 },
    chain: {
      network: { zeroTimeMs: 1_600_000_000_000, zeroSlot: 0, slotLengthMs: 1_000 },
      provider: { kind: 'koios', url: chain.url },
      contracts,
      walletAddress,
      scriptAddress: scriptsAt,
      signingKeyFiles: ['payment.skey'],
      protocol: {
        ...{ minFeeA: 44, minFeeB: 155_381, coinsPerUtxoByte: 4_310, priceMemory: 0.0577, priceSteps: 0.0000721 },
        ...{ maxTxSize: 16_384, maxTxMemory: 14_000_000, maxTxSteps: 10_000_000_000, collateralPercentage: 150 },
        ...{ maxCollateralInputs: 3, refScriptCostPerByte: 15, costModels: { PlutusV3: [1, 2, 3] } },
      },
      executionUnits: { memory: 1_000_000, steps: 500_000_000 },
    },
  };
  writeFileSync(join(folder, 'keeper.json'), JSON.stringify(config));

  const check = startDaemon(['shift', 'keep', 'keeper.json', '--check', '--json'], { cwd: folder });
  expect(await check.ended).toMatchObject({ code: 0, stderr: '' });
  expect(check.lines[0]).toMatchObject({
    ok: true,
    state: { scheduler: { operator: cora, shiftStart }, active: [anna, cora] },
    wallet: { outputs: 1, lovelace: '50000000' },
    referenceScripts: 1,
    signers: [paymentKey.to_public().hash().to_hex()],
  });
  const poor = { ...config, chain: { ...config.chain, walletAddress: scriptsAt, scriptAddress: walletAddress } };
  writeFileSync(join(folder, 'poor.json'), JSON.stringify(poor));
  const { stdout } = await startDaemon(['shift', 'keep', 'poor.json', '--check'], { cwd: folder }).ended;
  expect(stdout).toContain("warning: the scheduler's script is not there to refer to");

  const daemon = startDaemon(['shift', 'keep', 'keeper.json', '--json'], { cwd: folder });
  await daemon.line(event('included'));
  daemon.kill('SIGTERM');
  expect(await daemon.ended).toMatchObject({ code: 0, stderr: '' });
  expect(chain.submitted).toHaveLength(1);
  const transaction = chain.submitted[0]!;
  const datum = transaction.body().outputs().get(0).plutus_data()!.to_bytes();
  expect(decodeSchedulerDatum(datum)).toEqual({ operator: anna, shiftStart: shiftStart + HOUR });
  const signatures = transaction.witness_set().vkeys()!;
  expect(signatures.len()).toBe(1);
  expect(signatures.get(0).vkey().public_key().to_hex()).toBe(paymentKey.to_public().to_hex());
});
