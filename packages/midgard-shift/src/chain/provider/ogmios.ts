import { z } from 'zod';
import { toHex } from '../../state/hex.js';
import { refuse } from '../../state/midgard-input-error.js';
import type { Calls } from './chain-provider.js';
import { httpCaller } from './http-caller.js';
import { type JsonRpc, jsonSocket } from './json-socket.js';
import { answerAs, count, name } from './parse-json.js';
import { ChainProviderError } from './provider-error.js';

const PROVIDER = 'ogmios';

const answerSchema = z.union([
  z.object({ error: z.object({ code: z.coerce.number(), message: z.string(), data: z.unknown().optional() }) }),
  z.object({ result: z.unknown() }),
]);
const tipSchema = z.union([z.object({ slot: count, id: name }), z.literal('origin')]);
const submitSchema = z.object({ transaction: z.object({ id: name }) });

/** A node behind Ogmios 6. */
export interface Ogmios {
  tip(): Promise<{ slot: number; hash: string }>;
  submit(cbor: Uint8Array): Promise<string>;
  close(): Promise<void>;
}

/** Ogmios by WebSocket or by HTTP, depending on the URL. */
export function ogmiosNode(url: string, calls: Calls): Ogmios {
  if (!/^(ws|http)s?:\/\/[^/]/.test(String(url))) refuse('ogmiosUrl', 'a ws, wss, http or https address', '…');
  const socket = url.startsWith('ws') ? jsonSocket(PROVIDER, url, calls) : null;
  const ask = socket?.ask ?? overHttp(url, calls);

  async function result(method: string, params: object | undefined, mayRepeat: boolean): Promise<unknown> {
    const request = params === undefined ? { method } : { method, params };
    const answer = answerAs(PROVIDER, answerSchema, await ask(request, mayRepeat));
    if (!('error' in answer)) return answer.result;
    const { code, message } = answer.error;
    // Codes from 3000 to 3999 are about the transaction; all others are about the request.
    const isRefusal = code >= 3_000 && code < 4_000;
    throw new ChainProviderError(isRefusal ? 'provider-refused' : 'provider-answer', `${code} ${message}`, {
      provider: PROVIDER,
    });
  }

  return {
    async tip() {
      const tip = answerAs(PROVIDER, tipSchema, await result('queryNetwork/tip', undefined, true));
      return tip === 'origin' ? { slot: 0, hash: '' } : { slot: tip.slot, hash: tip.id };
    },
    async submit(cbor) {
      const params = { transaction: { cbor: toHex(cbor) } };
      const answer = await result('submitTransaction', params, false);
      return answerAs(PROVIDER, submitSchema, answer).transaction.id;
    },
    close: async () => socket?.close(),
  };
}

function overHttp(url: string, calls: Calls): JsonRpc {
  const call = httpCaller({ provider: PROVIDER, url, calls });
  return async (request, mayRepeat) => {
    const body = JSON.stringify({ jsonrpc: '2.0', ...request, id: null });
    const headers = { 'content-type': 'application/json' };
    // A JSON-RPC error comes with status 400 and its details in the body.
    return (await call({ path: '', body, headers, mayRepeat, expects: [400] })).body;
  };
}
