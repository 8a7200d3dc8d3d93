import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import * as csl from '@emurgo/cardano-serialization-lib-nodejs';
import { assetName, encodeElementDatum, encodeSchedulerDatum } from '@horae/midgard-shift';
import { onTestFinished } from 'vitest';

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const testnet = (credential: csl.Credential) => csl.EnterpriseAddress.new(0, credential).to_address().to_bech32();
const scriptAddress = (digits: string) =>
  testnet(csl.Credential.from_scripthash(csl.ScriptHash.from_hex(digits.repeat(28))));

const names = ['hubOracle', 'scheduler', 'active', 'registered', 'retired'] as const;
export const contracts = Object.fromEntries(
  names.map((name, at) => [name, { policyId: `a${at}`.repeat(28), address: scriptAddress(`b${at}`) }]),
) as Record<(typeof names)[number], { policyId: string; address: string }>;
export const scriptsAt = scriptAddress('c0');

/** The key that pays, and the address that it pays from. */
export const paymentKey = csl.PrivateKey.from_normal_bytes(new Uint8Array(32).fill(7));
export const walletAddress = testnet(csl.Credential.from_keyhash(paymentKey.to_public().hash()));

interface Row {
  readonly address: string;
  tx_hash: string;
  readonly tx_index: number;
  readonly value: string;
  inline_datum: { bytes: string; value: object } | null;
  readonly asset_list: { policy_id: string; asset_name: string; quantity: string }[];
  readonly reference_script: { type: string; bytes: string } | null;
}

/** A chain of Midgard behind Koios: two active operators, nobody registered, a wallet and a reference script. */
export async function koiosChain(active: readonly string[], scheduler: { operator: string; shiftStart: number }) {
  let count = 0;
  const rows: Row[] = [];
  const add = (
    address: string,
    datum: Uint8Array | null,
    token?: [keyof typeof contracts, string],
    script?: string,
  ) => {
    count += 1;
    rows.push({
      address,
      tx_hash: count.toString(16).padStart(64, '0'),
      tx_index: 0,
      value: '50000000',
      inline_datum: datum === null ? null : { bytes: hex(datum), value: {} },
      asset_list:
        token === undefined ? [] : [{ policy_id: contracts[token[0]].policyId, asset_name: token[1], quantity: '1' }],
      reference_script: script === undefined ? null : { type: 'plutusV3', bytes: script },
    });
  };
  const listed = (list: 'active' | 'registered' | 'retired', keys: readonly string[]) => {
    const element = (kind: 'root' | 'node', link: string | undefined) =>
      encodeElementDatum({ element: kind, data: new Uint8Array(), link: link ?? null });
    add(contracts[list].address, element('root', keys[0]), [list, assetName(`${list}-root`)]);
    for (const [at, operator] of keys.entries())
      add(contracts[list].address, element('node', keys[at + 1]), [list, assetName({ list: 'active', operator })]);
  };
  add(contracts.hubOracle.address, null, ['hubOracle', '00']);
  add(contracts.scheduler.address, encodeSchedulerDatum(scheduler), ['scheduler', assetName('scheduler')]);
  listed('active', active);
  listed('registered', []);
  listed('retired', []);
  add(walletAddress, null);
  add(scriptsAt, null, undefined, '46450101002499');
  const submitted: csl.Transaction[] = [];

  /** Takes a signed transaction: its first output is the scheduler's from now on. */
  const include = (bytes: Buffer): string => {
    const transaction = csl.Transaction.from_bytes(bytes);
    const id = csl.FixedTransaction.from_bytes(bytes).transaction_hash().to_hex();
    const holder = rows.find(({ address }) => address === contracts.scheduler.address)!;
    const datum = transaction.body().outputs().get(0).plutus_data()!;
    Object.assign(holder, { tx_hash: id, inline_datum: { bytes: datum.to_hex(), value: {} } });
    submitted.push(transaction);
    return id;
  };

  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const body = Buffer.concat(chunks);
    const answer = (): unknown => {
      if (request.url === '/tip') return [{ hash: `block ${submitted.length}`, abs_slot: 1_000 + submitted.length }];
      if (request.url === '/submittx') return include(body);
      const { _addresses } = JSON.parse(String(body)) as { _addresses: string[] };
      return rows.filter(({ address }) => _addresses.includes(address));
    };
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer()));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, submitted };
}
