import type { RunRow } from '../../model/run.js';
import type { RunEnd } from '../../store/job-store.js';
import type { Outcome } from '../../workbench/assignment.js';

/** The end of a run as its owner writes it. Field by field: runs end in thousands. */
export function ownEnd({ id, owner, fence }: RunRow, outcome: Outcome, endedAt: number): Writable<RunEnd> {
  const end = reportedEnd(id, outcome, endedAt);
  end.owner = owner!;
  end.fence = fence;
  return end;
}

/** The end of a run as an executor reports it. The report does not contain the owner, which is read when the end is written. */
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

/** Text that every database accepts: PostgreSQL rejects NUL in text, and half a surrogate pair is not valid text. */
export function storable(text: string): string {
  return text.replaceAll('\u0000', '\ufffd').replace(/\p{Surrogate}/gu, '\ufffd');
}
