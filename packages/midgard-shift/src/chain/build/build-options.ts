import type { ProtocolParameters } from '../../state/protocol-parameters.js';
import type { Contracts } from '../contracts.js';
import type { Network } from '../network.js';
import type { ChainUtxo } from '../provider/chain-provider.js';
import type { ChainProtocol, ExecutionUnits } from './chain-protocol.js';

/** Options of `buildTransaction`. */
export interface BuildOptions {
  /** The addresses and policies of the protocol's contracts. */
  readonly contracts: Contracts;
  /** Their edition is `2026-05`. */
  readonly parameters: ProtocolParameters;
  /** The network whose slots and addresses the transaction has. */
  readonly network: Network;
  /** The output with the scheduler NFT. */
  readonly scheduler: ChainUtxo;
  /** Outputs among which the plan's list elements are: those of all contracts will do. */
  readonly elements: readonly ChainUtxo[];
  /** Outputs with the reference scripts; the scheduler's spending script is among them. */
  readonly scripts: readonly ChainUtxo[];
  /** Outputs that pay fees and collateral, at addresses with a key. */
  readonly wallet: readonly ChainUtxo[];
  /** The address for the change of the wallet's outputs. */
  readonly changeAddress: string;
  /** The fees and limits of the chain. */
  readonly protocol: ChainProtocol;
  /** The execution units that the script may use. */
  readonly executionUnits: ExecutionUnits;
}
