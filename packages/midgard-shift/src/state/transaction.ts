import { checkedInteger, refuse } from './midgard-input-error.js';
import { checkDatum, type SchedulerDatum } from './midgard-state.js';
import { checkedKey, type PubKeyHash } from './pub-key-hash.js';

/** When a transaction may enter the chain: `[from, to)` in epoch milliseconds, null for an end without bound. */
export interface Validity {
  readonly from: number | null;
  readonly to: number | null;
}

/** Points at an element of a list; `key: null` is its root. Its link and its data are those in the state. */
export interface ReferenceInput {
  readonly list: 'active' | 'registered';
  readonly key: PubKeyHash | null;
}

/** The action of a transaction on the scheduler. */
export type Redeemer = 'init' | 'deinit' | 'advance' | 'rewind';

/** The part of a Cardano transaction that the scheduler's scripts read. */
export interface Transaction {
  readonly redeemer: Redeemer;
  /** Tokens minted (+1), burned (-1) or left alone (0). */
  readonly mint: { readonly hubOracle: number; readonly scheduler: number };
  readonly signatories: readonly PubKeyHash[];
  readonly validity: Validity;
  /** The datum of the output that holds the scheduler NFT; null when there is none. */
  readonly schedulerOutput: SchedulerDatum | null;
  readonly referenceInputs: readonly ReferenceInput[];
}

/** Refuses what is not a transaction at all. Broken rules are left to the verdict. */
export function checkTransaction(tx: Transaction): void {
  if (typeof tx !== 'object' || tx === null) refuse('tx', 'an object', tx);
  const { redeemer } = tx;
  if (redeemer !== 'advance' && redeemer !== 'rewind' && redeemer !== 'init' && redeemer !== 'deinit')
    refuse('tx.redeemer', "'init', 'deinit', 'advance' or 'rewind'", redeemer);
  if (typeof tx.mint !== 'object' || tx.mint === null) refuse('tx.mint', '{ hubOracle, scheduler }', tx.mint);
  checkedInteger('tx.mint.hubOracle', tx.mint.hubOracle);
  checkedInteger('tx.mint.scheduler', tx.mint.scheduler);
  checkSignatories('tx.signatories', tx.signatories);
  checkValidity('tx.validity', tx.validity);
  if (tx.schedulerOutput !== null) checkDatum('tx.schedulerOutput', tx.schedulerOutput);
  if (!Array.isArray(tx.referenceInputs)) refuse('tx.referenceInputs', 'a list', tx.referenceInputs);
  for (const input of tx.referenceInputs) {
    if (input?.list !== 'active' && input?.list !== 'registered')
      refuse('tx.referenceInputs.list', "'active' or 'registered'", input?.list);
    if (input.key !== null) checkedKey('tx.referenceInputs.key', input.key);
  }
}

/** Refuses a list in which something is not a key hash. */
export function checkSignatories(field: string, signatories: readonly PubKeyHash[]): void {
  if (!Array.isArray(signatories)) refuse(field, 'a list of key hashes', signatories);
  for (const key of signatories) checkedKey(field, key);
}

/** Refuses bounds that are neither whole milliseconds nor null. */
export function checkValidity(field: string, validity: Validity): void {
  if (typeof validity !== 'object' || validity === null) refuse(field, '{ from, to }', validity);
  checkBound(`${field}.from`, validity.from);
  checkBound(`${field}.to`, validity.to);
}

function checkBound(field: string, bound: number | null): void {
  if (bound !== null && !Number.isSafeInteger(bound)) refuse(field, 'whole milliseconds, or null for no bound', bound);
}

/** Whether no moment lies in the window. */
export function isEmptyWindow({ from, to }: Validity): boolean {
  return from !== null && to !== null && from >= to;
}

/** The window as text, such as `[1000, 2000)`. */
export function windowText({ from, to }: Validity): string {
  return `[${from ?? 'unbounded'}, ${to ?? 'unbounded'})`;
}
