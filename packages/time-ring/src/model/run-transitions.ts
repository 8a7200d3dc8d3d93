import { DELAYED, REMOTE, type RunRow, type RunState, UNOWNED, WAITING } from './run.js';

/** What a transition does to one field of a run. */
export type FieldChange =
  /** The value comes with the claim; `orKept`: null keeps what is there. */
  | { readonly kind: 'given'; readonly orKept?: true }
  | { readonly kind: 'value'; readonly value: string | null }
  /** The value of another field of the same run. */
  | { readonly kind: 'field'; readonly field: keyof RunRow }
  | { readonly kind: 'increment' };

/**
 * A move of a run that its owner claims by id, owner and fence: it counts when the run is in one of the states `from` and still the
 * claimant's. Both stores read this table, so that neither can allow what the other refuses.
 */
export interface RunTransition {
  readonly from: readonly RunState[];
  /** The states it may lead to; the state stays when `set` does not name it. */
  readonly to: readonly RunState[];
  readonly set: Readonly<Partial<Record<keyof RunRow, FieldChange>>>;
}

const given: FieldChange = { kind: 'given' };
const givenOrKept: FieldChange = { kind: 'given', orKept: true };
const nothing: FieldChange = { kind: 'value', value: null };
const increment: FieldChange = { kind: 'increment' };
const fixedAddress: FieldChange = { kind: 'field', field: 'fixedAddress' };

function to(value: string): FieldChange {
  return { kind: 'value', value };
}

const open = ['pending', 'queued', 'running'] as const satisfies readonly RunState[];

export const runTransitions = {
  /** An executor is found: the run begins there, or queues behind others of its job. */
  fire: {
    from: ['pending'],
    to: ['queued', 'running'],
    set: { state: given, address: given, shardTotal: given, firedAt: given, startedAt: given, waitingFor: nothing },
  },
  /** Its turn on the executor has come. */
  start: { from: ['queued'], to: ['running'], set: { state: to('running'), startedAt: given } },
  /** It is over. */
  end: {
    from: open,
    to: ['succeeded', 'failed', 'killed', 'skipped'],
    set: {
      state: given,
      code: given,
      message: given,
      result: given,
      error: given,
      progress: givenOrKept,
      endedAt: given,
      firedAt: givenOrKept,
      address: givenOrKept,
      owner: nothing,
      deadlineAt: nothing,
      waitingFor: nothing,
    },
  },
  /** Its handler says how far it has come. */
  progress: { from: ['running'], to: ['running'], set: { progress: given } },
  /** A remote executor has accepted it: it outlives the node that sent it. */
  assign: {
    from: open,
    to: ['running'],
    set: { state: to('running'), owner: to(REMOTE), startedAt: given, deadlineAt: given },
  },
  /** Its executor has reported an end while somebody kills it: kept until the kill is answered, or nobody waits for that any more. */
  keepResult: { from: ['running'], to: ['running'], set: { code: given, message: given, deadlineAt: given } },
  /** Nobody can take it now. */
  park: {
    from: open,
    to: ['pending'],
    set: {
      state: to('pending'),
      owner: to(WAITING),
      waitingFor: given,
      deadlineAt: given,
      address: fixedAddress,
      startedAt: nothing,
    },
  },
  /** A broadcast has found its executors: it becomes the first of a run for each. */
  spread: { from: ['pending'], to: ['pending'], set: { shardTotal: given, firedAt: given } },
  /** Another node's executor is to do it. */
  handOver: { from: ['pending'], to: ['pending'], set: { owner: given, fence: increment, address: given } },
  /** Its node does not want it any more: whoever can takes it. */
  handBack: {
    from: open,
    to: ['pending'],
    set: {
      state: to('pending'),
      owner: to(UNOWNED),
      address: fixedAddress,
      startedAt: nothing,
      waitingFor: nothing,
      deadlineAt: nothing,
    },
  },
  /** Its handler has asked for a later time: the same attempt again, with nobody until then. */
  postpone: {
    from: open,
    to: ['pending'],
    set: {
      state: to('pending'),
      owner: to(DELAYED),
      deadlineAt: given,
      dueAt: given,
      readyAt: given,
      address: fixedAddress,
      startedAt: nothing,
      postponed: increment,
    },
  },
} as const satisfies Readonly<Record<string, RunTransition>>;

export type RunMove = keyof typeof runTransitions;

/** The run after a move, with what the claim gives. */
export function movedRun(row: RunRow, move: RunMove, claim: Readonly<Record<string, unknown>>): RunRow {
  const after: Record<string, unknown> = { ...row };
  for (const [field, change] of Object.entries(runTransitions[move].set as RunTransition['set'])) {
    after[field] = changed(row, field as keyof RunRow, change, claim);
  }
  return after as unknown as RunRow;
}

function changed(
  row: RunRow,
  field: keyof RunRow,
  change: FieldChange,
  claim: Readonly<Record<string, unknown>>,
): unknown {
  switch (change.kind) {
    case 'value':
      return change.value;
    case 'field':
      return row[change.field];
    case 'increment':
      return (row[field] as number) + 1;
    case 'given':
      return claim[field] ?? (change.orKept ? row[field] : null);
  }
}
