import { expectTypeOf, test } from 'vitest';
import type {
  ChainView,
  createLedger,
  decodeSchedulerDatum,
  encodeSchedulerDatum,
  Ledger,
  LifecycleVerdict,
  MidgardState,
  Plan,
  PlutusData,
  planCatchUp,
  SchedulerDatum,
  Shift,
  simulate,
  startShiftKeeper,
  Transaction,
  timetable,
  Violation,
  validateTransaction,
} from '../../src/index.js';

test('the public shapes', () => {
  expectTypeOf<Transaction['redeemer']>().toEqualTypeOf<'init' | 'deinit' | 'advance' | 'rewind'>();
  expectTypeOf<Extract<Plan, { possible: false }>['reason']>().toEqualTypeOf<
    'not-initialized' | 'no-active-operator' | 'registrant-must-activate'
  >();
  expectTypeOf<Extract<ReturnType<typeof validateTransaction>, { accepted: false }>['violations']>().toEqualTypeOf<
    readonly Violation[]
  >();
  expectTypeOf<'validity-contains-now'>().toExtend<Violation['rule']>();
  expectTypeOf<Extract<LifecycleVerdict, { accepted: true }>['state']>().toEqualTypeOf<MidgardState>();
  expectTypeOf<ReturnType<typeof timetable>>().toEqualTypeOf<Shift[]>();
  expectTypeOf<ReturnType<typeof planCatchUp>>().toEqualTypeOf<Plan[]>();
  expectTypeOf<ReturnType<typeof createLedger>>().toEqualTypeOf<Promise<Ledger>>();
  expectTypeOf<Ledger>().toExtend<ChainView>();
  expectTypeOf<ReturnType<ReturnType<typeof startShiftKeeper>['stop']>>().toEqualTypeOf<Promise<void>>();
  expectTypeOf<ReturnType<typeof decodeSchedulerDatum>>().toEqualTypeOf<SchedulerDatum>();
  expectTypeOf<ReturnType<typeof encodeSchedulerDatum>>().toEqualTypeOf<Uint8Array>();
  expectTypeOf<ReturnType<typeof simulate>['state']>().toEqualTypeOf<MidgardState>();
  expectTypeOf<bigint | Uint8Array>().toExtend<PlutusData>();
  expectTypeOf<{
    scheduler: null;
    hubOracle: false;
    active: string[];
    registered: [];
    retired: string[];
  }>().toExtend<MidgardState>();
});
