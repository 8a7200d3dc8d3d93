import type { Clock } from '@horae/clock-store';
import { openDatabase } from '@horae/clock-store/storage';
import {
  type ChainView,
  createLedger,
  type KeeperEvent,
  parseProtocolParameters,
  startShiftKeeper,
} from '@horae/midgard-shift';
import { createDaemonLog, type DaemonLog } from '../daemon/daemon-log.js';
import { runDaemon } from '../daemon/run-daemon.js';
import { CommandInputError } from '../frame/command-errors.js';
import { type Answer, defineCommand } from '../frame/define-command.js';
import { type KeepChain, type KeepConfig, keepNotes, readKeepConfig, readSigningKey } from './keep-config.js';

interface OpenChain {
  readonly chain: ChainView;
  /** The means of a real chain for future transactions; a ledger needs none. */
  means?(): Promise<Means>;
  close(): Promise<void>;
}

/** The wallet, the reference scripts and the signers of transactions. */
interface Means {
  readonly wallet: { readonly outputs: number; readonly lovelace: string };
  readonly referenceScripts: number;
  /** The key hashes of the signing keys. */
  readonly signers: readonly string[];
}

export const keep = defineCommand({
  name: 'horae shift keep',
  about: "Take an operator's shifts on a chain until told to stop",
  args: {
    config: { type: 'positional', description: 'The configuration file', required: true },
    check: { type: 'boolean', description: 'Check the configuration, read state, wallet and scripts once, and stop' },
  },
  examples: [
    { line: 'horae shift keep keeper.yaml --check', does: 'is the chain there, and what does it show?' },
    { line: 'horae shift keep keeper.yaml', does: 'in the foreground; Ctrl-C stops' },
  ],
  notes: keepNotes,
  async run(args, context) {
    const config = await readKeepConfig(args.config);
    const { clock } = context;
    const log = createDaemonLog(context, args.json === true);
    if (args.check === true) {
      return checked(await openChain(config, args.config, clock, log));
    }
    await runDaemon(() => startKeeping(config, args.config, clock, log), context, log);
    return undefined;
  },
});

async function checked({ chain, means, close }: OpenChain): Promise<Answer> {
  try {
    const { scheduler, active, registered, ...rest } = await chain.state();
    const found = await means?.();
    const shift = scheduler === null ? 'no scheduler' : `${scheduler.operator} since ${scheduler.shiftStart}`;
    const text = `${shift}, ${active.length} active, ${registered.length} registered`;
    const json = { ok: true, state: { scheduler, ...rest, active, registered }, ...found };
    return { json, text: found === undefined ? text : `${text}\n${meansText(found)}` };
  } finally {
    await close();
  }
}

function meansText({ wallet, referenceScripts, signers }: Means): string {
  const lines = [
    `wallet: ${wallet.lovelace} lovelace in ${wallet.outputs} outputs`,
    `reference scripts: ${referenceScripts}`,
    `signs as: ${signers.join(', ')}`,
  ];
  if (wallet.outputs === 0) lines.push('warning: the wallet cannot pay for a transaction');
  if (referenceScripts === 0) lines.push("warning: the scheduler's script is not there to refer to");
  return lines.join('\n');
}

async function startKeeping(config: KeepConfig, path: string, clock: Clock, log: DaemonLog) {
  const { chain, close } = await openChain(config, path, clock, log);
  const network = config.chain?.network;
  const keeper = startShiftKeeper({
    clock,
    chain,
    operator: config.operator,
    parameters: parseProtocolParameters(config.parameters),
    ...definedOf(config.keeper),
    ...(network === undefined ? {} : { network }),
    onEvent: (event) => logEvent(log, event),
    onFailure: (error) => log.warn({ error: String(error) }, 'a call failed; it is tried again'),
  });
  log.info({ operator: config.operator }, 'keeping');
  return {
    reload: () => Promise.reject(new Error('a keeper is started anew to take another configuration')),
    async stop() {
      await keeper.stop();
      log.info(keeper.metrics(), 'kept');
      await close();
    },
  };
}

function logEvent(log: DaemonLog, { kind, at }: KeeperEvent): void {
  if (kind === 'polled') log.debug({ event: kind, at }, kind);
  else if (kind !== 'failed') log.info({ event: kind, at }, kind);
}

/** The options that are set; the keeper's own types do not allow undefined. */
function definedOf(keeper: KeepConfig['keeper']): {
  [Name in keyof KeepConfig['keeper']]: NonNullable<KeepConfig['keeper'][Name]>;
} {
  return Object.fromEntries(Object.entries(keeper).filter(([, value]) => value !== undefined)) as never;
}

async function openChain(config: KeepConfig, path: string, clock: Clock, log: DaemonLog): Promise<OpenChain> {
  if (config.chain !== undefined) return openRealChain(config, config.chain, path, log);
  const { state, database } = config.ledger!;
  const parameters = parseProtocolParameters(config.parameters);
  const opened = database === undefined ? undefined : await openDatabase(database);
  const chain = await createLedger({ state, parameters, clock, ...(opened === undefined ? {} : { database: opened }) });
  return { chain, close: async () => opened?.close() };
}

async function openRealChain(config: KeepConfig, on: KeepChain, path: string, log: DaemonLog): Promise<OpenChain> {
  // The code for a real chain is loaded only when shifts are kept on one.
  const { createChainView, createCompleter, signersOf } = await import('@horae/midgard-shift/chain');
  const { provider, close } = await openProvider(on.provider);
  const privateKeys = await Promise.all(on.signingKeyFiles.map((file) => readSigningKey(path, file)));
  const { contracts, network } = on;
  const parameters = parseProtocolParameters(config.parameters);
  const shared = { provider, contracts, network, parameters };
  const chain = createChainView({
    ...shared,
    complete: createCompleter({ ...shared, ...on, provider, parameters, privateKeys }),
    onRollback: (rollback) => log.warn(rollback, 'the chain rolled back'),
  });
  const means = async (): Promise<Means> => {
    const wallet = await provider.utxosAt(on.walletAddress);
    const scripts = await provider.utxosAt(on.scriptAddress);
    const lovelace = wallet.reduce((sum, utxo) => sum + utxo.lovelace, 0n);
    return {
      wallet: { outputs: wallet.length, lovelace: String(lovelace) },
      referenceScripts: scripts.filter(({ scriptRef }) => scriptRef !== undefined).length,
      signers: await signersOf(privateKeys),
    };
  };
  return { chain, means, close };
}

async function openProvider(of: KeepChain['provider']) {
  const { blockfrostProvider, koiosProvider, ogmiosKupoProvider } = await import('@horae/midgard-shift/chain');
  const close = async () => {};
  if (of.kind === 'blockfrost')
    return { provider: blockfrostProvider({ url: of.url, projectId: secret(of.projectIdEnv) }), close };
  if (of.kind === 'koios') {
    const token = of.tokenEnv === undefined ? {} : { token: secret(of.tokenEnv) };
    return { provider: koiosProvider({ url: of.url, ...token }), close };
  }
  const provider = ogmiosKupoProvider({ ogmiosUrl: of.ogmiosUrl, kupoUrl: of.kupoUrl });
  return { provider, close: async () => provider[Symbol.asyncDispose]() };
}

/** Secrets come from the environment, so that the file can be shown and kept. */
function secret(name: string): string {
  const value = process.env[name];
  if (value !== undefined && value !== '') return value;
  throw new CommandInputError(`the environment has no ${name}`, { hint: `export ${name}=…`, name });
}
