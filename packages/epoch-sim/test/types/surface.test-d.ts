import { expectTypeOf, test } from 'vitest';
import { type EpochInput, type EpochResult, runEpoch, type Simulation, simulateColumns } from '../../src/index.js';

const json = (simulation: Simulation) => simulation.snapshot();
const binary = (simulation: Simulation) => simulation.snapshot({ format: 'binary' });

test('events and snapshots have exact types', () => {
  expectTypeOf(runEpoch).toBeCallableWith({} as EpochInput);
  expectTypeOf<EpochResult['schedule_events'][number]['type']>().toEqualTypeOf<
    'start' | 'end' | 'interrupt' | 'visibility_change' | 'cancel' | 'outage' | 'restore'
  >();
  expectTypeOf<ReturnType<typeof binary>>().toEqualTypeOf<Uint8Array>();
  expectTypeOf<ReturnType<typeof json>['version']>().toEqualTypeOf<2>();
  expectTypeOf(simulateColumns).returns.toHaveProperty('carried').toEqualTypeOf<Uint32Array>();
});

test('an effort that does not exist does not compile', () => {
  // @ts-expect-error: low, medium or high
  runEpoch({ action_defs: { a: { base_duration_min: 1, effort: 'extreme' } } });
});
