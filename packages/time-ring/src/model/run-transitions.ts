import { DELAYED, REMOTE, type RunRow, type RunState, UNOWNED, WAITING } from './run.js';

/** What a transition does to one field of a run. */
export type FieldChange =
  /** The claim supplies the value; with `orKept`, null keeps the stored one. */
  | { readonly kind: 'given'; readonly orKept?: true }
  | { readonly kind: 'value'; readonly value: string | null }
  /** The value of another field of the same run. */
  | { readonly kind: 'field'; readonly field: keyof RunRow }
  | { readonly kind: 'increment' };

/**
 * A state change of a run that its owner claims by id, owner and fence: it applies when the run is in one of the states `from` and still
 * belongs to the claimant. Both stores read this table, so that neither can allow what the other refuses.
 */
export interface RunTransition {
  readonly from: readonly RunState[];
  /** The states it may lead to; the state is unchanged when `set` does not name it. */
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
  /** An executor takes the run: it starts there, or queues behind other runs of its job. */
  fire: {
    from: ['pending'],
    to: ['queued', 'running'],
    set: { state: given, address: given, shardTotal: given, firedAt: given, startedAt: given, waitingFor: nothing },
  },
  /** The run reaches the head of its executor's queue and starts. */
  start: { from: ['queued'], to: ['running'], set: { state: to('running'), startedAt: given } },
  /** The run ends. */
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
  /** The handler reports progress. */
  progress: { from: ['running'], to: ['running'], set: { progress: given } },
  /** A remote executor has accepted the run, which now outlives the node that sent it. */
  assign: {
    from: open,
    to: ['running'],
    set: { state: to('running'), owner: to(REMOTE), startedAt: given, deadlineAt: given },
  },
  /** Its executor has reported an end during a kill: the result is kept until the kill is answered or no longer awaited. */
  keepResult: { from: ['running'], to: ['running'], set: { code: given, message: given, deadlineAt: given } },
  /** No executor can take the run now. */
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
  /** A broadcast has found its executors: this run becomes the first of one run per executor. */
  spread: { from: ['pending'], to: ['pending'], set: { shardTotal: given, firedAt: given } },
  /** The run goes to an executor of another node. */
  handOver: { from: ['pending'], to: ['pending'], set: { owner: given, fence: increment, address: given } },
  /** Its node releases the run: any node may take it. */
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
  /** The handler postpones the run: the same attempt again later, without an owner node until then. */
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

/** The run after a move, with the values of the claim. */
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
