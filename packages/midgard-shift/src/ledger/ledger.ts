import type { Clock } from '@horae/clock-store';
import type { HoraeDatabase } from '@horae/clock-store/storage';
import type { LifecycleRequest } from '../rules/lifecycle-rules.js';
import type { MidgardState } from '../state/midgard-state.js';
import type { ProtocolParameters } from '../state/protocol-parameters.js';
import type { Verdict } from '../state/violation.js';
import type { ChainView } from './chain-view.js';

/** A chain of your own, for tests, simulation and demonstrations. */
export interface Ledger extends ChainView {
  /** Activates a registrant when the request is legal and the current time lies in its window. */
  activate(request: LifecycleRequest): Promise<Verdict>;
  /** One step of the lists around the scheduler: register, activate and so on. Leaving the state as it is makes no step. */
  change(step: (state: MidgardState) => MidgardState): Promise<void>;
  /** Undoes the last `steps` steps. The 2,160 latest can be undone; more than there are is refused. */
  rollback(steps: number): Promise<void>;
}

/** Options of `createLedger`. */
export interface LedgerOptions {
  /** Where the chain begins. A database that already holds a chain continues with its own. */
  readonly state: MidgardState;
  /** The parameters of the protocol, with its edition. */
  readonly parameters: ProtocolParameters;
  /** Provides the time at which a transaction arrives. */
  readonly clock: Clock;
  /** Stores the chain; without it the chain is in memory. One chain per database. */
  readonly database?: HoraeDatabase;
}
