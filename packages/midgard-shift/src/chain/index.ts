export {
  type ActivationOptions,
  type ActivationPlaces,
  type ActivationRedeemers,
  type BuiltActivation,
  buildActivation,
} from './build/build-activation.js';
export type { BuildOptions } from './build/build-options.js';
export { type BuiltTransaction, buildTransaction } from './build/build-transaction.js';
export type { ChainProtocol, ExecutionUnits } from './build/chain-protocol.js';
export { type CompleterOptions, createActivationCompleter, createCompleter } from './build/create-completer.js';
export { LedgerLibraryMissingError } from './build/ledger-types.js';
export { type ActivationPlan, type NewOutput, planActivation } from './build/plan-activation.js';
export { WalletTooPoorError } from './build/select-coins.js';
export { signersOf, signTransaction } from './build/sign-transaction.js';
export type { Contract, Contracts } from './contracts.js';
export { type Network, type SlotConfig, slotToTime, timeToSlot } from './network.js';
export { blockfrostProvider } from './provider/blockfrost.js';
export type { Calls, ChainProvider, ChainUtxo } from './provider/chain-provider.js';
export { koiosProvider } from './provider/koios.js';
export { ogmiosKupoProvider } from './provider/ogmios-kupo.js';
export { type ChainProviderCode, ChainProviderError } from './provider/provider-error.js';
export { type ChainViewOptions, createChainView, type Rollback } from './view/create-chain-view.js';
