import { expect, test } from 'vitest';
import { activeWord, type SchedulerState, type SchedulerStep, schedulerTransition } from './scheduler-state.js';

const states: SchedulerState[] = ['uninitialized', 'initializing', 'running', 'stopping', 'stopped'];
const steps: SchedulerStep[] = ['initialize', 'initialized', 'initialization-failed', 'stop', 'stopped'];

test('L1: the scheduler moves along six arrows and no others', () => {
  const arrows = states.flatMap((state) =>
    steps.flatMap((step) => {
      const next = schedulerTransition(state, step);
      return next === null ? [] : [`${state} -${step}-> ${next}`];
    }),
  );
  expect(arrows).toEqual([
    'uninitialized -initialize-> initializing',
    'initializing -initialized-> running',
    'initializing -initialization-failed-> uninitialized',
    'running -stop-> stopping',
    'stopping -stopped-> stopped',
    'stopped -initialize-> initializing',
  ]);
});

test('S2: an active scheduler is called initializing or running, a stopping one running', () => {
  expect(['initializing', 'running', 'stopping'].map((state) => activeWord(state as SchedulerState))).toEqual([
    'initializing',
    'running',
    'running',
  ]);
});
