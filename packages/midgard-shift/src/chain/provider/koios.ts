import { z } from 'zod';
import type { Calls, ChainProvider, ChainUtxo } from './chain-provider.js';
import { contentCache } from './content-cache.js';
import { httpCaller } from './http-caller.js';
import { answerAs, count, hash, hex, hexBytes, name, quantity } from './parse-json.js';
import { ChainProviderError } from './provider-error.js';
import { scriptRefOf } from './script-ref.js';
import { callTermsOf } from './try-again.js';

const PROVIDER = 'koios';
/** The most rows of one answer, by the service's own limit. */
const PAGE = 1_000;
/** One address has no more pages than this, or the answer is not trusted. */
const MAX_PAGES = 100;

const tipSchema = z.array(z.object({ hash: name, abs_slot: count })).length(1);
const utxoSchema = z.object({
  tx_hash: hash,
  tx_index: count,
  value: quantity,
  datum_hash: z.string().nullish(),
  inline_datum: z.object({ bytes: hexBytes }).nullish(),
  // A native script has no bytes here.
  reference_script: z.object({ type: z.string(), bytes: hex.nullish() }).nullish(),
  is_spent: z.boolean().nullish(),
  asset_list: z.array(z.object({ policy_id: hex, asset_name: hex.nullish(), quantity })).nullish(),
});
const datumsSchema = z.array(z.object({ bytes: hexBytes.nullish() }).nullable());

/** Koios: `url` with its version, such as `https://preprod.koios.rest/api/v1`; `token` for the tiers that have one. */
export function koiosProvider(
  options: {
    /** The API with its version, such as `https://preprod.koios.rest/api/v1`. */
    readonly url: string;
    /** For the tiers that have one; without it the public tier is used. */
    readonly token?: string;
  } & Calls,
): ChainProvider {
  const { url, token } = options;
  const { clock } = callTermsOf(options);
  const call = httpCaller({
    provider: PROVIDER,
    url,
    headers: { accept: 'application/json', ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) },
    secrets: token === undefined ? [] : [token],
    calls: options,
  });
  const post = async (path: string, body: unknown) => {
    const headers = { 'content-type': 'application/json' };
    return (await call({ path, body: JSON.stringify(body), headers })).body;
  };
  const datumOf = contentCache(clock, async (datumHash) => {
    const found = answerAs(PROVIDER, datumsSchema, await post('/datum_info', { _datum_hashes: [datumHash] }));
    return found[0]?.bytes ?? null;
  });
  const rowsAt = async (address: string, query = '') => {
    const body = await post(`/address_utxos${query}`, { _addresses: [address], _extended: true });
    return answerAs(PROVIDER, z.array(utxoSchema), body);
  };

  /** One answer where it is enough; more are read from the start again, in an order that holds from page to page. */
  async function allRowsAt(address: string): Promise<z.output<typeof utxoSchema>[]> {
    const first = await rowsAt(address);
    if (first.length < PAGE) return first;
    const rows: z.output<typeof utxoSchema>[] = [];
    for (let page = 0; page < MAX_PAGES; page++) {
      const query = `?order=tx_hash.asc,tx_index.asc&limit=${PAGE}&offset=${page * PAGE}`;
      const next = await rowsAt(address, query);
      rows.push(...next);
      if (next.length < PAGE) return rows;
    }
    throw new ChainProviderError('provider-answer', `more than ${MAX_PAGES} pages`, { provider: PROVIDER });
  }

  async function utxoOf(row: z.output<typeof utxoSchema>, address: string): Promise<ChainUtxo> {
    const { inline_datum: inline, datum_hash: datumHash, reference_script: script } = row;
    const assets = (row.asset_list ?? []).map((each) => [each.policy_id + (each.asset_name ?? ''), each.quantity]);
    const datum = inline?.bytes ?? (datumHash ? await datumOf(datumHash) : null);
    const scriptRef = script?.bytes ? scriptRefOf(script.type, script.bytes) : undefined;
    const utxo = {
      txHash: row.tx_hash,
      index: row.tx_index,
      address,
      lovelace: row.value,
      assets: Object.fromEntries(assets),
      datum,
    };
    return scriptRef === undefined ? utxo : { ...utxo, scriptRef };
  }

  return {
    async tip() {
      const [tip] = answerAs(PROVIDER, tipSchema, (await call({ path: '/tip' })).body);
      return { slot: tip!.abs_slot, hash: tip!.hash };
    },
    async utxosAt(address) {
      const utxos: ChainUtxo[] = [];
      for (const row of await allRowsAt(address)) if (row.is_spent !== true) utxos.push(await utxoOf(row, address));
      return utxos;
    },
    async submit(transaction) {
      const headers = { 'content-type': 'application/cbor' };
      const { body } = await call({ path: '/submittx', body: transaction, headers, mayRepeat: false });
      return answerAs(PROVIDER, name, body);
    },
  };
}
