import type { EngineState } from '../engine/engine-state.js';
import { epochOf } from '../engine/epoch-window.js';
import { lockStates } from '../engine/state-view.js';
import type { EpochResult } from '../interchange/interchange.js';
import { chainLogs, FIRST_HASH } from './log-chain.js';
import { noteState } from './result-state.js';
import { waitRecords } from './wait-records.js';
import { lazily, writeCarryOver } from './write-carry-over.js';

/** The values of an earlier epoch that the records of this one continue. */
export interface LoggedBefore {
  readonly seq: number;
  readonly hash: string;
  readonly running: readonly { readonly id: string }[];
}

/** The result of a state. The state must not move on afterwards, because logs, waits and carry-over are computed when they are read. */
export function epochResult(state: EngineState, before: LoggedBefore | undefined): EpochResult {
  const { window } = state.rules;
  const firstSeq = before?.seq ?? 0;
  const logs = lazily({}, 'logs', () => chainLogs(state, window, firstSeq, before?.hash ?? FIRST_HASH));
  const lastHash = (): string => logs.logs.world_log.at(-1)?.hash ?? before?.hash ?? FIRST_HASH;
  const result = {
    epoch: epochOf(window),
    schedule_events: state.log.events(0, state.idOf, state.isoOf),
    locks: lockStates(state),
    resources: state.resources.toRecord(),
    rejections: state.rejections.slice(),
    ignored_interrupts: state.ignored.slice(),
  };
  const withLogs = lazily(result, 'logs', () => logs.logs);
  const withWaits = lazily(withLogs, 'waits', () => waitRecords(state, before));
  const carryOver = () => writeCarryOver(state, firstSeq + state.log.count, lastHash);
  return noteState(lazily(withWaits, 'carry_over', carryOver), state);
}
