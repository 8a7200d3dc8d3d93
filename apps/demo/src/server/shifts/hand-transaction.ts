import type { MidgardState, ProtocolParameters, ReferenceInput, Transaction } from 'horae/shift';

/**
 * The transaction that a user requests by hand, legal or not: the chain judges it. An advance goes to the signer when it stands below the
 * current operator, else to the next one down; a rewind goes to the greatest key.
 */
export function handTransaction(
  state: MidgardState,
  redeemer: 'advance' | 'rewind',
  signer: string | null,
  now: number,
  { shiftDurationMs }: ProtocolParameters,
): Transaction {
  const current = state.scheduler;
  const operator = redeemer === 'rewind' ? greatest(state) : nextDown(state, signer);
  const referenceInputs: ReferenceInput[] = [{ list: 'active', key: operator }];
  if (redeemer === 'rewind') {
    referenceInputs.push({ list: 'active', key: null });
    referenceInputs.push({ list: 'registered', key: state.registered.at(-1)?.operator ?? null });
  }
  return {
    redeemer,
    mint: { hubOracle: 0, scheduler: 0 },
    signatories: signer === null ? [] : [signer],
    validity: { from: now, to: windowEnd(state, redeemer, signer, now, shiftDurationMs) },
    schedulerOutput: { operator, shiftStart: (current?.shiftStart ?? now) + shiftDurationMs },
    referenceInputs,
  };
}

/** A signed window ends with the shift, a rewind before the earliest registrant may enter; else a tenth of a shift. */
function windowEnd(
  state: MidgardState,
  redeemer: 'advance' | 'rewind',
  signer: string | null,
  now: number,
  shiftDurationMs: number,
): number {
  const shiftEnd = (state.scheduler?.shiftStart ?? now) + 2 * shiftDurationMs;
  const ends = [now + Math.ceil(shiftDurationMs / 10)];
  if (signer !== null && shiftEnd > now) ends.push(shiftEnd);
  const earliest = state.registered.at(-1)?.activationTime;
  if (redeemer === 'rewind' && earliest !== undefined && earliest - 1 > now) ends.push(earliest - 1);
  return Math.min(...ends);
}

function nextDown(state: MidgardState, signer: string | null): string {
  const previous = state.scheduler?.operator ?? '';
  if (signer !== null && signer < previous) return signer;
  return state.active.findLast((key) => key < previous) ?? signer ?? greatest(state);
}

function greatest({ active, scheduler }: MidgardState): string {
  return active.at(-1) ?? scheduler!.operator;
}
