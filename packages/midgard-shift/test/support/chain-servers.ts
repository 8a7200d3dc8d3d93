import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer } from 'ws';
import type { ChainUtxo } from '../../src/chain/index.js';
import { type FakeChain, hashOf } from './fake-chain.js';

/** What goes wrong with one request. */
export type Fault = { status: number; location?: string } | 'drop' | 'hang' | 'nonsense';

/** A service on a local port, with faults for the requests to come and a record of those that came. */
export interface TestServer extends AsyncDisposable {
  readonly url: string;
  readonly faults: Fault[];
  readonly requests: { method: string; path: string; headers: IncomingMessage['headers'] }[];
}

type Handler = (request: { path: string; query: URLSearchParams; body: Buffer }) => {
  status?: number;
  json: unknown;
  headers?: Record<string, string>;
};

async function serve(handle: Handler, before?: (server: Server) => void): Promise<TestServer> {
  const faults: Fault[] = [];
  const requests: TestServer['requests'] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const url = new URL(request.url!, 'http://local');
    requests.push({ method: request.method!, path: request.url!, headers: request.headers });
    const fault = faults.shift();
    if (fault !== undefined) return fail(fault, request, response);
    const {
      status = 200,
      json,
      headers,
    } = handle({ path: url.pathname, query: url.searchParams, body: Buffer.concat(chunks) });
    response
      .writeHead(status, { 'content-type': 'application/json', ...headers })
      .end(typeof json === 'string' && json.startsWith('{raw}') ? json.slice(5) : JSON.stringify(json));
  });
  before?.(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    faults,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function fail(fault: Fault, request: IncomingMessage, response: ServerResponse): void {
  if (fault === 'drop') request.socket.destroy();
  else if (fault === 'nonsense') response.end('<html>gateway</html>');
  else if (fault !== 'hang')
    response
      .writeHead(fault.status, fault.location === undefined ? {} : { location: fault.location })
      .end(JSON.stringify({ message: `secret-token is not welcome: ${fault.status}` }));
}

const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const datumHash = ({ datum }: ChainUtxo) => (datum === null ? null : hashOf(hex(datum)));
const units = ({ lovelace, assets }: ChainUtxo) => [['lovelace', lovelace] as const, ...Object.entries(assets)];

/** Plutus V3 scripts by their hash, without the language in front; native ones begin with 8200. */
const scriptBytes = (utxo: ChainUtxo) => utxo.scriptRef!.slice(4);
const isNative = ({ scriptRef }: ChainUtxo) => scriptRef?.startsWith('8200') === true;
const scriptHash = (utxo: ChainUtxo) => (utxo.scriptRef === undefined ? null : hashOf(utxo.scriptRef).slice(0, 56));

/** Blockfrost: pages of at most 100, 404 for an address without outputs. */
export function blockfrostServer(chain: FakeChain): Promise<TestServer> {
  return serve(({ path, query, body }) => {
    if (path === '/blocks/latest') return { json: { slot: chain.slot, hash: chain.hash, height: 7, epoch: 1 } };
    if (path === '/tx/submit') {
      const id = chain.submit(body);
      return id === null
        ? { status: 400, json: { status_code: 400, error: 'Bad Request', message: chain.refusal } }
        : { json: id };
    }
    const datum = path.match(/^\/scripts\/datum\/([0-9a-f]+)\/cbor$/)?.[1];
    if (datum !== undefined) {
      const cbor = chain.datumOf(datum);
      return cbor === null ? { status: 404, json: { status_code: 404, error: 'Not Found' } } : { json: { cbor } };
    }
    const script = chain.utxos.find((utxo) => scriptHash(utxo) !== null && path.includes(scriptHash(utxo)!));
    if (path.startsWith('/scripts/') && script !== undefined)
      return {
        json: path.endsWith('/cbor')
          ? { cbor: isNative(script) ? null : scriptBytes(script) }
          : { script_hash: scriptHash(script), type: isNative(script) ? 'timelock' : 'plutusV3' },
      };
    const address = path.match(/^\/addresses\/([^/]+)\/utxos$/)?.[1];
    const all = address === undefined ? [] : chain.at(address);
    if (all.length === 0) return { status: 404, json: { status_code: 404, error: 'Not Found', message: 'not here' } };
    const count = Math.min(100, Number(query.get('count') ?? 100));
    const from = (Number(query.get('page') ?? 1) - 1) * count;
    return {
      json: all.slice(from, from + count).map((utxo) => ({
        address: utxo.address,
        tx_hash: utxo.txHash,
        tx_index: utxo.index,
        output_index: utxo.index,
        amount: units(utxo).map(([unit, quantity]) => ({ unit, quantity: String(quantity) })),
        block: chain.hash,
        data_hash: datumHash(utxo),
        inline_datum: utxo.datum === null || chain.hasHashedDatums ? null : hex(utxo.datum),
        reference_script_hash: scriptHash(utxo),
      })),
    };
  });
}

/** Koios: at most 1,000 rows an answer, from `offset` on. */
export function koiosServer(chain: FakeChain): Promise<TestServer> {
  return serve(({ path, query, body }) => {
    if (path === '/tip')
      return {
        json: [{ hash: chain.hash, epoch_no: 1, abs_slot: chain.slot, epoch_slot: 3, block_no: 7, block_time: 9 }],
      };
    if (path === '/submittx') {
      const id = chain.submit(body);
      return id === null ? { status: 400, json: chain.refusal } : { status: 202, json: id };
    }
    if (path === '/datum_info') {
      const { _datum_hashes: hashes } = JSON.parse(String(body)) as { _datum_hashes: string[] };
      const found = hashes.map((each) => ({ hash: each, bytes: chain.datumOf(each) }));
      // Koios leaves out what it does not know.
      return {
        json: found
          .filter(({ bytes }) => bytes !== null)
          .map(({ hash, bytes }) => ({ datum_hash: hash, creation_tx_hash: chain.hash, value: {}, bytes })),
      };
    }
    const { _addresses, _extended } = JSON.parse(String(body)) as { _addresses: string[]; _extended: boolean };
    const offset = Number(query.get('offset') ?? 0);
    const rows = _addresses.flatMap((address) => chain.at(address)).slice(offset, offset + 1_000);
    return {
      json: rows.map((utxo) => ({
        tx_hash: utxo.txHash,
        tx_index: utxo.index,
        address: utxo.address,
        value: String(utxo.lovelace),
        datum_hash: datumHash(utxo),
        inline_datum: utxo.datum === null || chain.hasHashedDatums ? null : { bytes: hex(utxo.datum), value: {} },
        reference_script:
          utxo.scriptRef === undefined
            ? null
            : isNative(utxo)
              ? { hash: scriptHash(utxo), size: 1, type: 'timelock', bytes: null, value: { type: 'all', scripts: [] } }
              : { hash: scriptHash(utxo), size: 1, type: 'plutusV3', bytes: scriptBytes(utxo), value: null },
        asset_list: _extended
          ? Object.entries(utxo.assets).map(([unit, quantity]) => ({
              policy_id: unit.slice(0, 56),
              asset_name: unit.slice(56),
              quantity: String(quantity),
            }))
          : null,
        is_spent: chain.spent.has(utxo),
      })),
    };
  });
}

/** Kupo: quantities as bare numbers, datums and scripts under their hashes, its own checkpoint in a header. */
export function kupoServer(chain: FakeChain, checkpoint: () => number = () => chain.slot): Promise<TestServer> {
  return serve(({ path, query }) => {
    const of = (prefix: string) => (path.startsWith(prefix) ? path.slice(prefix.length) : null);
    const datum = of('/datums/');
    if (datum !== null) {
      const found = chain.datumOf(datum);
      return { json: found === null ? null : { datum: found } };
    }
    const script = of('/scripts/');
    if (script !== null) {
      const holder = chain.utxos.find((utxo) => scriptHash(utxo) === script);
      return {
        json:
          holder === undefined
            ? null
            : { language: isNative(holder) ? 'native' : 'plutus:v3', script: scriptBytes(holder) },
      };
    }
    if (!query.has('unspent')) return { status: 400, json: { hint: 'spent outputs are not asked for' } };
    const matches = chain.at(of('/matches/') ?? '').map((utxo) => {
      const assets = Object.entries(utxo.assets).map(
        ([unit, amount]) => `"${unit.length > 56 ? `${unit.slice(0, 56)}.${unit.slice(56)}` : unit}":${amount}`,
      );
      return `{"transaction_index":0,"transaction_id":"${utxo.txHash}","output_index":${utxo.index},"address":"${utxo.address}",
        "value":{"coins":${utxo.lovelace},"assets":{${assets.join(',')}}},"datum_hash":${JSON.stringify(datumHash(utxo))},
        ${utxo.datum === null ? '' : `"datum_type":"${chain.hasHashedDatums ? 'hash' : 'inline'}",`}"script_hash":${JSON.stringify(scriptHash(utxo))},
        "created_at":{"slot_no":1,"header_hash":"${chain.hash}"},"spent_at":null}`;
    });
    return { json: `{raw}[${matches.join(',')}]`, headers: { 'x-most-recent-checkpoint': String(checkpoint()) } };
  });
}

/**
 * Ogmios 6 by HTTP and by WebSocket on the same port; faults are those of the requests, whichever way they come. The first `mute`
 * WebSockets take requests and never answer, like connections that a router has forgotten.
 */
export async function ogmiosServer(
  chain: FakeChain,
  { mute = 0 } = {},
): Promise<TestServer & { readonly sockets: { opened: number } }> {
  const answer = (text: string) => {
    const { method, params, id } = JSON.parse(text) as {
      method: string;
      params?: { transaction: { cbor: string } };
      id: unknown;
    };
    const head = { jsonrpc: '2.0', method, id };
    if (method === 'queryNetwork/tip') return { ...head, result: { slot: chain.slot, id: chain.hash } };
    if (method !== 'submitTransaction') return { ...head, error: { code: -32601, message: 'Method not found.' } };
    const transaction = chain.submit(Buffer.from(params!.transaction.cbor, 'hex'));
    return transaction === null
      ? { ...head, error: { code: 3117, message: chain.refusal, data: {} } }
      : { ...head, result: { transaction: { id: transaction } } };
  };
  const sockets = new WebSocketServer({ noServer: true });
  const server = await serve(
    ({ body }) => {
      const json = answer(String(body));
      return { json, status: 'error' in json ? 400 : 200 };
    },
    (http) =>
      http.on('upgrade', (request, socket, head) =>
        sockets.handleUpgrade(request, socket, head, (client) => sockets.emit('connection', client)),
      ),
  );
  const count = { opened: 0 };
  sockets.on('connection', (client) => {
    count.opened += 1;
    const isMute = count.opened <= mute;
    client.on('message', (data) => {
      server.requests.push({ method: 'ws', path: String(data), headers: {} });
      if (isMute) return;
      const fault = server.faults.shift();
      if (fault === undefined) client.send(JSON.stringify(answer(String(data))));
      else if (fault === 'nonsense') client.send('<html>');
      else if (fault !== 'hang') client.terminate();
    });
  });
  return {
    ...server,
    sockets: count,
    async [Symbol.asyncDispose]() {
      for (const client of sockets.clients) client.terminate();
      await server[Symbol.asyncDispose]();
    },
  };
}
