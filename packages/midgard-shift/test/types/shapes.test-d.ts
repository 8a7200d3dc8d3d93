import { expectTypeOf, test } from 'vitest';
import type {
  buildTransaction,
  ChainProvider,
  ChainProviderError,
  createChainView,
  Network,
  ogmiosKupoProvider,
} from '../../src/chain/index.js';
import type {
  assetName,
  ChainView,
  createLedger,
  decodeSchedulerDatum,
  Edition,
  ElementDatum,
  encodeSchedulerDatum,
  Ledger,
  LifecycleVerdict,
  MidgardState,
  Plan,
  PlutusData,
  ProtocolParameters,
  planCatchUp,
  SchedulerDatum,
  Shift,
  ShiftKeeper,
  simulate,
  startShiftKeeper,
  Transaction,
  timetable,
  Verdict,
  Violation,
  validateTransaction,
} from '../../src/index.js';

test('the shapes of editions, keeper and chain', () => {
  expectTypeOf<ProtocolParameters['edition']>().toEqualTypeOf<Edition | undefined>();
  expectTypeOf<Edition>().toEqualTypeOf<'2025' | '2026-05'>();
  expectTypeOf<ElementDatum>().toEqualTypeOf<{
    readonly element: 'root' | 'node';
    readonly data: PlutusData;
    readonly link: string | null;
  }>();
  expectTypeOf<{ list: 'registered'; activationTime: number }>().toExtend<Parameters<typeof assetName>[0]>();
  expectTypeOf<ReturnType<ShiftKeeper['metrics']>>().toEqualTypeOf<{
    readonly polls: number;
    readonly submissions: number;
    readonly refusals: number;
    readonly failures: number;
    readonly rollbacks: number;
    readonly activations: number;
  }>();
  expectTypeOf<ReturnType<NonNullable<ChainView['activate']>>>().toEqualTypeOf<Promise<Verdict>>();
  expectTypeOf<ReturnType<typeof createChainView>>().toExtend<ChainView>();
  expectTypeOf<ReturnType<typeof ogmiosKupoProvider>>().toEqualTypeOf<ChainProvider & AsyncDisposable>();
  expectTypeOf<ChainProviderError['code']>().toEqualTypeOf<
    'provider-unreachable' | 'provider-refused' | 'provider-answer' | 'provider-moving'
  >();
  expectTypeOf<Awaited<ReturnType<typeof buildTransaction>>['requiredSigners']>().toEqualTypeOf<string[]>();
  expectTypeOf<Network>().toExtend<
    'mainnet' | 'preprod' | 'preview' | { zeroTimeMs: number; zeroSlot: number; slotLengthMs: number }
  >();
});

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
