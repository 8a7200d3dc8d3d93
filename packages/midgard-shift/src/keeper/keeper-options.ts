import type { Clock, Random } from '@horae/clock-store';
import { type Network, slotConfigOf } from '../chain/network.js';
import type { ChainView } from '../ledger/chain-view.js';
import { checkedInteger, refuse } from '../state/midgard-input-error.js';
import { checkParameters, type ProtocolParameters } from '../state/protocol-parameters.js';
import { checkedKey, type PubKeyHash } from '../state/pub-key-hash.js';
import type { KeeperEvent } from './keeper-record.js';
import type { WindowTerms } from './keeper-window.js';

/** Options of `startShiftKeeper`. */
export interface ShiftKeeperOptions {
  /** Provides the time and waits. */
  readonly clock: Clock;
  /** The chain on which shifts are taken. */
  readonly chain: ChainView;
  /** The operator whose shifts are taken. */
  readonly operator: PubKeyHash;
  /** The parameters of the protocol, with its edition. */
  readonly parameters: ProtocolParameters;
  /** Spreads the waits after failures. Default: the system's randomness. */
  readonly random?: Random;
  /** The time between two reads of the state while nothing is due. Default: a tenth of a shift, at most 30 s. */
  readonly pollMs?: number;
  /** The longest window of a transaction. Default: a tenth of a shift after it was submitted. */
  readonly maxWindowMs?: number;
  /**
   * How far this clock may be ahead of the chain's: a transaction is submitted no earlier than this long after its window opens. Default 0.
   */
  readonly clockSkewMs?: number;
  /** The network to whose slots the windows are aligned. Default: no alignment. */
  readonly network?: Network;
  /**
   * Activate the registrants that block a rewind, through the chain view's `activate`. Default false: the keeper waits until another
   * submitter does.
   */
  readonly activateRegistrants?: boolean;
  /** Called for everything the keeper does. What it throws goes to `onFailure`; the keeper continues. */
  onEvent?(event: KeeperEvent): void;
  /**
   * Called with the error of every call that failed, timed out or was refused; the keeper continues by itself. What the listener throws is
   * ignored.
   */
  onFailure?(error: unknown): void;
}

/** The waits of a keeper. */
export interface KeeperPace {
  /** The time between two reads of the state while nothing is due. */
  readonly pollMs: number;
  /** The time between two reads while a transaction is under way. */
  readonly pendingPollMs: number;
  readonly answerMs: number;
  readonly backoff: { readonly firstMs: number; readonly longestMs: number };
  readonly window: WindowTerms;
}

/** Checks the options. All waits follow the length of a shift, within what suits a network, unless an option says otherwise. */
export function paceOf(options: ShiftKeeperOptions): KeeperPace {
  checkParameters(options.parameters);
  checkedKey('operator', options.operator);
  const { shiftDurationMs } = options.parameters;
  const part = (divisor: number, least: number, most: number) =>
    Math.min(most, Math.max(least, Math.ceil(shiftDurationMs / divisor)));
  const pollMs = checkedInteger('pollMs', options.pollMs ?? part(10, 10, 30_000), 1);
  if (options.activateRegistrants === true && options.chain.activate === undefined)
    refuse('activateRegistrants', 'left out, because this chain view has no activate()', true);
  return {
    pollMs,
    pendingPollMs: Math.min(pollMs, part(100, 10, 5_000)),
    answerMs: part(2, 5_000, 30_000),
    backoff: { firstMs: part(100, 10, 1_000), longestMs: part(10, 100, 30_000) },
    window: windowTermsOf(options),
  };
}

function windowTermsOf({ parameters, maxWindowMs, clockSkewMs = 0, network }: ShiftKeeperOptions): WindowTerms {
  checkedInteger('clockSkewMs', clockSkewMs, 0);
  const slotLengthMs = network === undefined ? 1 : slotConfigOf(network).slotLengthMs;
  // After the wait for the skew at least one whole slot has to be left.
  const leastMs = clockSkewMs + slotLengthMs;
  if (maxWindowMs !== undefined && checkedInteger('maxWindowMs', maxWindowMs, 1) < leastMs)
    refuse('maxWindowMs', `${leastMs} or more, the clock skew and a slot`, maxWindowMs);
  return {
    patienceMs: Math.max(Math.ceil(parameters.shiftDurationMs / 10), network === undefined ? 1 : 2 * slotLengthMs),
    maxWindowMs: maxWindowMs ?? Infinity,
    clockSkewMs,
    network: network ?? null,
  };
}
