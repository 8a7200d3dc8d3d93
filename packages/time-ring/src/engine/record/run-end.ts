import type { RunRow } from '../../model/run.js';
import type { RunEnd } from '../../store/job-store.js';
import type { Outcome } from '../../workbench/assignment.js';

/** The end of a run as its owner has it. Field by field: runs end by thousands. */
export function ownEnd({ id, owner, fence }: RunRow, outcome: Outcome, endedAt: number): Writable<RunEnd> {
  const end = reportedEnd(id, outcome, endedAt);
  end.owner = owner!;
  end.fence = fence;
  return end;
}

/** The end of a run as an executor reports it, who does not know whose the run is: that is read where the end is written. */
export function reportedEnd(id: number, outcome: Outcome, endedAt: number): Writable<RunEnd> {
  return {
    id,
    owner: '',
    fence: 0,
    state: outcome.state,
    code: outcome.code,
    message: storableOrNull(outcome.message),
    result: outcome.result,
    error: outcome.error ?? null,
    progress: outcome.progress ?? null,
    endedAt,
    firedAt: null,
    address: null,
  };
}

type Writable<T> = { -readonly [K in keyof T]: T[K] };

export function storableOrNull(text: string | null): string | null {
  return text === null ? null : storable(text);
}

/** Text that every database takes: PostgreSQL has no NUL in texts, and half a surrogate pair is no text at all. */
export function storable(text: string): string {
  return text.replaceAll('\u0000', '\ufffd').replace(/\p{Surrogate}/gu, '\ufffd');
}
