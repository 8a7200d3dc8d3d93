/** The state of a scheduler. `stopped` is equivalent to `uninitialized`: the scheduler may be initialized again. */
export type SchedulerState = 'uninitialized' | 'initializing' | 'running' | 'stopping' | 'stopped';

export type SchedulerStep =
  | 'initialize'
  | 'initialized'
  | 'initialization-failed'
  | 'stop'
  /** Nothing runs any more. */
  | 'stopped';

const steps: Readonly<Record<SchedulerState, Partial<Record<SchedulerStep, SchedulerState>>>> = {
  uninitialized: { initialize: 'initializing' },
  initializing: { initialized: 'running', 'initialization-failed': 'uninitialized' },
  running: { stop: 'stopping' },
  stopping: { stopped: 'stopped' },
  stopped: { initialize: 'initializing' },
};

/** The state after a step, or null when the step is not possible in this state and changes nothing. */
export function schedulerTransition(state: SchedulerState, step: SchedulerStep): SchedulerState | null {
  return steps[state][step] ?? null;
}

/** The word for an active scheduler in `SchedulerAlreadyActiveError`: a stopping one is still running. */
export function activeWord(state: SchedulerState): 'initializing' | 'running' {
  return state === 'initializing' ? 'initializing' : 'running';
}
