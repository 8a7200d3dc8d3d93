import { refuse } from '../state/midgard-input-error.js';
import { checkParameters, type ProtocolParameters } from '../state/protocol-parameters.js';
import type { Network } from './network.js';
import { slotConfigOf } from './network.js';

/** A script of Midgard on a chain: the policy of the tokens that mark its outputs, and the address of these outputs. */
export interface Contract {
  readonly policyId: string;
  readonly address: string;
}

/** The scripts that the scheduler reads. */
export type Contracts = Readonly<Record<'hubOracle' | 'scheduler' | 'active' | 'registered' | 'retired', Contract>>;

const names = ['hubOracle', 'scheduler', 'active', 'registered', 'retired'] as const;

/** Refuses contracts that are incomplete, a network without slots, and parameters of an edition without a chain. */
export function checkChain(contracts: Contracts, parameters: ProtocolParameters, network: Network): void {
  checkParameters(parameters);
  if (parameters.edition !== '2026-05')
    refuse('parameters.edition', "'2026-05', the edition whose datums are on a chain", parameters.edition);
  slotConfigOf(network);
  for (const name of names) {
    const contract = contracts?.[name];
    if (!/^[0-9a-f]{56}$/.test(String(contract?.policyId)))
      refuse(`contracts.${name}.policyId`, '56 lower case hex digits', contract?.policyId);
    if (typeof contract?.address !== 'string' || contract.address === '')
      refuse(`contracts.${name}.address`, 'an address', contract?.address);
  }
}
