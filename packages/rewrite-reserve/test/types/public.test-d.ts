import { expectTypeOf, test } from 'vitest';
import {
  type AttachmentKey,
  type Blocker,
  type checkCommutes,
  createRewriteScheduler,
  type Footprint,
  footprint,
  type GraphResult,
  keys,
  type Mark,
  type NodeKey,
  type PendingRewrite,
  type PortKey,
  type ReserveResult,
  type RewriteInputError,
  type RewritePool,
  type RewriteScheduler,
  runGraph,
  type runOptimistic,
  runWaves,
  scopeHash,
  type verifyReceipt,
} from '../../src/index.js';

test('the public shapes of the first edition', () => {
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
    | 'cyclic-order'
    | 'unknown-set'
  >();
  expectTypeOf<Extract<ReturnType<typeof verifyReceipt>, { valid: false }>['problems'][number]>().toEqualTypeOf<{
    readonly entry: number | null;
    readonly problem: string;
  }>();
  // @ts-expect-error a mark is opaque
  scheduler.rollbackTo(1, {});
});

test('the public shapes of the second edition', () => {
  const { node, port, attachment } = keys('warp');
  expectTypeOf(node(['doc', 4])).toExtend<NodeKey>();
  expectTypeOf(node({ path: ['doc'], subtree: true })).toExtend<NodeKey>();
  expectTypeOf(node({ path: ['doc'], from: 4 })).toExtend<NodeKey>();
  expectTypeOf(port(5)).toExtend<PortKey>();
  expectTypeOf(attachment('node', 1, 'alpha')).toExtend<AttachmentKey>();
  expectTypeOf(scopeHash('text')).toEqualTypeOf<Uint8Array>();
  expectTypeOf(runGraph([], () => 5)).resolves.toEqualTypeOf<GraphResult<number>>();
  expectTypeOf(runGraph([], (task) => task.payload, { before: { 7: [9] } })).resolves.toEqualTypeOf<
    GraphResult<unknown>
  >();
  expectTypeOf<RewritePool<string>>().toExtend<AsyncDisposable>();
  expectTypeOf<ReturnType<RewriteScheduler['carryOver']>>().toEqualTypeOf<
    readonly { readonly rewrite: PendingRewrite; readonly age: number }[]
  >();
  expectTypeOf(createRewriteScheduler).toBeCallableWith({ strict: true, starvation: { after: 2 } });
  expectTypeOf<Parameters<typeof runOptimistic>[2]['concurrency']>().toEqualTypeOf<number | undefined>();
  // @ts-expect-error a range has at least one bound, and a subtree is not false
  node({ path: ['doc'], subtree: false });
});
