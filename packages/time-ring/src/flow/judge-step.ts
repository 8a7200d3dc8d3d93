import type { StepStanding, StepState } from '../model/flow-rows.js';

/** The states in which a step is over. */
export type StepEndState = Exclude<StepState, 'waiting' | 'open'>;

/** What the preceding steps imply for a waiting step: keep waiting, start, or never start. */
export function judgeStep({
  condition,
  openBefore,
  missedBefore,
  failedBefore,
}: Pick<StepStanding, 'condition' | 'openBefore' | 'missedBefore' | 'failedBefore'>): 'wait' | 'start' | 'skip' {
  // One step that has not succeeded is enough: the others cannot change that.
  if (condition === 'succeeded' && missedBefore > 0) return 'skip';
  if (openBefore > 0) return 'wait';
  return condition === 'failed' && failedBefore === 0 ? 'skip' : 'start';
}

export function isStepOver(state: StepState): state is StepEndState {
  return state !== 'waiting' && state !== 'open';
}

/** Whether a step that ended in this state makes its flow fail. */
export function countsAsFailed(state: StepState): boolean {
  return state === 'failed' || state === 'killed';
}

/** The standing after one of the preceding steps ended (`by` 1), or after such an end was undone (-1). */
export function afterEndBefore(standing: StepStanding, state: StepEndState, by: 1 | -1): StepStanding {
  return {
    ...standing,
    openBefore: standing.openBefore - by,
    missedBefore: standing.missedBefore + (state === 'succeeded' ? 0 : by),
    failedBefore: standing.failedBefore + (countsAsFailed(state) ? by : 0),
  };
}
