import { expectTypeOf, test } from 'vitest';
import {
  type Blocker,
  type checkCommutes,
  createRewriteScheduler,
  type Footprint,
  footprint,
  type Mark,
  type PendingRewrite,
  type ReserveResult,
  type RewriteInputError,
  runWaves,
  type verifyReceipt,
} from '../../src/index.js';

test('the public shapes', () => {
  const scheduler = createRewriteScheduler({ kind: 'legacy', explain: 'all' });
  expectTypeOf(footprint({ nRead: new Set([{ warp: 1, id: 'x' }]) })).toEqualTypeOf<Footprint>();
  expectTypeOf(scheduler.reserve).returns.toBeBoolean();
  expectTypeOf(scheduler.reserveMany).returns.toEqualTypeOf<ReserveResult>();
  expectTypeOf(scheduler.explain).returns.toEqualTypeOf<Blocker[]>();
  expectTypeOf(scheduler.savepoint).returns.toEqualTypeOf<Mark>();
  expectTypeOf<PendingRewrite['phase']>().toEqualTypeOf<'matched' | 'reserved' | 'aborted'>();
  expectTypeOf(runWaves([], () => 5)).toEqualTypeOf<Promise<number[]>>();
  expectTypeOf(runWaves([], async () => 'text')).toEqualTypeOf<Promise<string[]>>();
  expectTypeOf<Parameters<typeof checkCommutes>[2]['orders']>().toBeNumber();
  expectTypeOf<RewriteInputError['code']>().toEqualTypeOf<
    | 'bad-scope-hash'
    | 'bad-rule'
    | 'bad-rule-id'
    | 'bad-key'
    | 'bad-mask'
    | 'warp-mismatch'
    | 'bad-mark'
    | 'explain-off'
    | 'bad-receipt'
  >();
  expectTypeOf<Extract<ReturnType<typeof verifyReceipt>, { valid: false }>['problems'][number]>().toEqualTypeOf<{
    readonly entry: number | null;
    readonly problem: string;
  }>();
  // @ts-expect-error a mark is opaque
  scheduler.rollbackTo(1, {});
});
