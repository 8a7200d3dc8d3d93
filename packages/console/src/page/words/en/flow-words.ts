/** Several runs, one after another. */
export const flowWords = {
  about: 'Runs that start one after another.',
  exactName: 'Name, whole',
  empty: 'No flow fits.',
  steps: 'Steps',
  step: 'Step',
  after: 'After',
  began: 'Began',
  cancelled: 'The flow is cancelled.',
  drawing: (name: string) => `Steps of ${name}`,
  states: {
    running: 'running',
    succeeded: 'succeeded',
    failed: 'failed',
    killed: 'cancelled',
    waiting: 'waiting',
  } as Record<string, string>,
};

export type FlowWords = typeof flowWords;
