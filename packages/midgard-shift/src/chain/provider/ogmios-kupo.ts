import type { Calls, ChainProvider } from './chain-provider.js';
import { kupoIndexer } from './kupo.js';
import { ogmiosNode } from './ogmios.js';

/**
 * A node of your own: Ogmios 6 for the tip and for transactions, by WebSocket or HTTP, and Kupo for outputs. Outputs are read when Kupo has
 * seen the tip that was read last. `await using` closes the WebSocket.
 */
export function ogmiosKupoProvider(
  options: {
    /** Where Ogmios is: `ws:`, `wss:`, `http:` or `https:`. */
    readonly ogmiosUrl: string;
    /** Where Kupo is: `http:` or `https:`. */
    readonly kupoUrl: string;
  } & Calls,
): ChainProvider & AsyncDisposable {
  const node = ogmiosNode(options.ogmiosUrl, options);
  const indexer = kupoIndexer(options.kupoUrl, options);
  let lastSlot = 0;
  return {
    async tip() {
      const tip = await node.tip();
      lastSlot = tip.slot;
      return tip;
    },
    utxosAt: (address) => indexer.utxosAt(address, lastSlot),
    submit: (cbor) => node.submit(cbor),
    [Symbol.asyncDispose]: () => node.close(),
  };
}
