import { z } from 'zod';
import type { Calls, ChainProvider, ChainUtxo } from './chain-provider.js';
import { contentCache } from './content-cache.js';
import { httpCaller } from './http-caller.js';
import { answerAs, count, hash, hex, hexBytes, name, quantity } from './parse-json.js';
import { ChainProviderError } from './provider-error.js';
import { scriptRefOf } from './script-ref.js';
import { callTermsOf } from './try-again.js';

const PROVIDER = 'blockfrost';
const PAGE = 100;
/** One address has no more pages than this, or the answer is not trusted. */
const MAX_PAGES = 1_000;

const tipSchema = z.object({ slot: count, hash: name });
const utxoSchema = z.object({
  address: z.string().optional(),
  tx_hash: hash,
  output_index: count,
  amount: z.array(z.object({ unit: z.string(), quantity })),
  data_hash: z.string().nullish(),
  inline_datum: hexBytes.nullish(),
  reference_script_hash: z.string().nullish(),
});
const cborSchema = z.object({ cbor: hex.nullish() });
const scriptSchema = z.object({ type: z.string() });

/** Blockfrost: `url` with its version, such as `https://cardano-preprod.blockfrost.io/api/v0`. */
export function blockfrostProvider(
  options: {
    /** The API with its version, such as `https://cardano-preprod.blockfrost.io/api/v0`. */
    readonly url: string;
    /** The key of a project for that network. */
    readonly projectId: string;
  } & Calls,
): ChainProvider {
  const { url, projectId } = options;
  const { clock } = callTermsOf(options);
  const call = httpCaller({
    provider: PROVIDER,
    url,
    headers: { project_id: projectId },
    secrets: [projectId],
    calls: options,
  });
  const cbor = async (path: string) => {
    const { status, body } = await call({ path, expects: [404] });
    return status === 404 ? null : (answerAs(PROVIDER, cborSchema, body).cbor ?? null);
  };
  const datumOf = contentCache(clock, async (dataHash) => {
    const found = await cbor(`/scripts/datum/${dataHash}/cbor`);
    return found === null ? null : answerAs(PROVIDER, hexBytes, found);
  });
  const scriptOf = contentCache(clock, async (scriptHash) => {
    const { status, body } = await call({ path: `/scripts/${scriptHash}`, expects: [404] });
    const script = status === 404 ? null : await cbor(`/scripts/${scriptHash}/cbor`);
    return script === null ? null : (scriptRefOf(answerAs(PROVIDER, scriptSchema, body).type, script) ?? null);
  });

  async function utxoOf(row: z.output<typeof utxoSchema>, address: string): Promise<ChainUtxo> {
    const { inline_datum: inline, data_hash: dataHash, reference_script_hash: scriptHash } = row;
    const amounts = Object.fromEntries(row.amount.map(({ unit, quantity }) => [unit, quantity]));
    const { lovelace = 0n, ...assets } = amounts;
    const datum = inline ?? (dataHash ? await datumOf(dataHash) : null);
    const scriptRef = scriptHash ? await scriptOf(scriptHash) : null;
    const utxo = { txHash: row.tx_hash, index: row.output_index, address, lovelace, assets, datum };
    return scriptRef === null ? utxo : { ...utxo, scriptRef };
  }

  return {
    async tip() {
      return answerAs(PROVIDER, tipSchema, (await call({ path: '/blocks/latest' })).body);
    },
    async utxosAt(address) {
      const utxos: ChainUtxo[] = [];
      for (let page = 1; page <= MAX_PAGES; page++) {
        const path = `/addresses/${address}/utxos?page=${page}&count=${PAGE}&order=asc`;
        const { status, body } = await call({ path, expects: [404] });
        if (status === 404) return utxos;
        const rows = answerAs(PROVIDER, z.array(utxoSchema), body);
        for (const row of rows) utxos.push(await utxoOf(row, address));
        if (rows.length < PAGE) return utxos;
      }
      throw new ChainProviderError('provider-answer', `more than ${MAX_PAGES} pages`, { provider: PROVIDER });
    },
    async submit(transaction) {
      const headers = { 'content-type': 'application/cbor' };
      const { body } = await call({ path: '/tx/submit', body: transaction, headers, mayRepeat: false });
      return answerAs(PROVIDER, name, body);
    },
  };
}
