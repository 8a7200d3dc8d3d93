import { z } from 'zod';
import type { Calls, ChainUtxo } from './chain-provider.js';
import { contentCache } from './content-cache.js';
import { type HttpAnswer, httpCaller } from './http-caller.js';
import { answerAs, count, hash, hex, hexBytes, quantity } from './parse-json.js';
import { ChainProviderError } from './provider-error.js';
import { scriptRefOf } from './script-ref.js';
import { callTermsOf } from './try-again.js';

const PROVIDER = 'kupo';

const matchSchema = z.object({
  transaction_id: hash,
  output_index: count,
  value: z.object({ coins: quantity, assets: z.record(z.string(), quantity).default({}) }),
  datum_hash: z.string().nullish(),
  script_hash: z.string().nullish(),
});
const datumSchema = z.object({ datum: hexBytes }).nullable();
const scriptSchema = z.object({ language: z.string(), script: hex }).nullable();

/** The indexer beside Ogmios. */
export interface Kupo {
  /** The unspent outputs at `address`, read when the indexer has seen at least the slot `notBefore`. */
  utxosAt(address: string, notBefore: number): Promise<ChainUtxo[]>;
}

export function kupoIndexer(url: string, calls: Calls): Kupo {
  const call = httpCaller({ provider: PROVIDER, url, calls });
  const { retries, backoffMs, clock } = callTermsOf(calls);
  const datumOf = contentCache(clock, async (datumHash) => {
    const { body } = await call({ path: `/datums/${datumHash}` });
    return answerAs(PROVIDER, datumSchema, body)?.datum ?? null;
  });
  const scriptOf = contentCache(clock, async (scriptHash) => {
    const script = answerAs(PROVIDER, scriptSchema, (await call({ path: `/scripts/${scriptHash}` })).body);
    return script === null ? null : (scriptRefOf(script.language, script.script) ?? null);
  });

  async function utxoOf(match: z.output<typeof matchSchema>, address: string): Promise<ChainUtxo> {
    const { datum_hash: datumHash, script_hash: scriptHash, value } = match;
    // Kupo writes a dot between the policy and the name, and none where the name is empty.
    const assets = Object.entries(value.assets).map(([unit, amount]) => [unit.replace('.', ''), amount]);
    const datum = datumHash ? await datumOf(datumHash) : null;
    const scriptRef = scriptHash ? await scriptOf(scriptHash) : null;
    const utxo = {
      txHash: match.transaction_id,
      index: match.output_index,
      address,
      lovelace: value.coins,
      assets: Object.fromEntries(assets),
      datum,
    };
    return scriptRef === null ? utxo : { ...utxo, scriptRef };
  }

  /** An indexer behind its node would return outputs of two different blocks, so the provider waits for it. */
  async function matchesAt(address: string, notBefore: number): Promise<HttpAnswer> {
    for (let tries = 0; tries <= retries; tries++) {
      if (tries > 0) await clock.sleepFor(backoffMs * 2 ** (tries - 1));
      const answer = await call({ path: `/matches/${address}?unspent` });
      const checkpoint = answer.headers.get('x-most-recent-checkpoint');
      if (checkpoint === null || Number(checkpoint) >= notBefore) return answer;
    }
    throw new ChainProviderError('provider-moving', `it has not indexed slot ${notBefore} yet`, { provider: PROVIDER });
  }

  return {
    async utxosAt(address, notBefore) {
      const { body } = await matchesAt(address, notBefore);
      const utxos: ChainUtxo[] = [];
      for (const match of answerAs(PROVIDER, z.array(matchSchema), body)) utxos.push(await utxoOf(match, address));
      return utxos;
    },
  };
}
