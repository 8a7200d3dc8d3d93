import { type FlowRow, type NewStep, stepId } from '../model/flow-rows.js';
import type { JobStore } from '../store/job-store.js';
import {
  addJob,
  addRuns,
  ask,
  hostileParams,
  hostileTexts,
  newRun,
  type StoreCases,
  same,
  T,
} from './conformance-stage.js';

function flow(change: Partial<Omit<FlowRow, 'id'>> = {}): Omit<FlowRow, 'id'> {
  return {
    ...{ name: 'a flow', state: 'running', isCancelled: false, openSteps: 2, failedSteps: 0, depth: 0 },
    ...{ createdAt: T, endedAt: null },
    ...change,
  };
}

function step(id: number, change: Partial<NewStep> = {}): NewStep {
  return {
    ...{ id, name: `step ${id}`, jobId: 1, condition: 'succeeded', state: 'waiting' },
    ...{ openBefore: 0, missedBefore: 0, failedBefore: 0, runId: null, isSource: false },
    ...{ params: null, sources: null, next: [] },
    ...change,
  };
}

function addFlow(store: JobStore, change: Partial<Omit<FlowRow, 'id'>> = {}, steps = 0): Promise<number> {
  return store.transaction(async (trx) => {
    const id = await trx.insertFlow(flow(change));
    await trx.insertSteps(Array.from({ length: steps }, (_, i) => step(stepId(id, i))));
    return id;
  });
}

/** Flows and their steps. */
export const flowCases: StoreCases = {
  async 'keeps flows and gives them by id, by state and by name, the newest first'(store) {
    same(await store.flow(1), null);
    same(await store.flow(1.5), null);
    const names = ['a', 'b', 'a', ...hostileTexts];
    const ids: number[] = [];
    for (const name of names) ids.push(await addFlow(store, { name, state: name === 'b' ? 'failed' : 'running' }));
    same(
      ids,
      [...ids].sort((a, b) => a - b),
    );
    same(await store.flow(ids[1]!), { ...flow({ name: 'b', state: 'failed' }), id: ids[1] });
    const listed = async (query: object) =>
      (await store.flows({ limit: 100, beforeId: null, ...query })).map(({ id }) => id);
    same(await listed({}), [...ids].reverse());
    same(await listed({ name: 'a' }), [ids[2], ids[0]]);
    same(await listed({ name: 'a', beforeId: ids[2] }), [ids[0]]);
    same(await listed({ name: 'A' }), []);
    same(await listed({ state: 'failed' }), [ids[1]]);
    same(await listed({ limit: 1 }), [ids.at(-1)]);
    for (const [i, name] of hostileTexts.entries()) {
      same((await store.flows({ name, limit: 9, beforeId: null }))[0], { ...flow({ name }), id: ids[i + 3] });
    }
  },

  async 'finds the flows that have a step outside of some groups'(store) {
    const jobs = new Map<string, number>();
    for (const group of ['blue', 'red', 'blue ', ...hostileTexts]) {
      const { id } = await addJob(store, { executorGroup: group });
      jobs.set(group, id);
    }
    const GONE = 1_000_000;
    const flowOf = async (...jobIds: readonly number[]) => {
      const id = await addFlow(store);
      await ask(store, (trx) => trx.insertSteps(jobIds.map((jobId, i) => step(stepId(id, i), { jobId }))));
      return id;
    };
    const [blue, red] = [jobs.get('blue')!, jobs.get('red')!];
    const ids = [await flowOf(blue, blue), await flowOf(blue, red), await flowOf(red), await flowOf(blue, GONE)];
    const outside = async (...groups: readonly string[]) => [...(await store.flowsOutside(ids, groups))].sort();
    same(await outside('blue'), ids.slice(1));
    same(await outside('red', 'blue'), [ids[3]]);
    same(await outside('red'), [ids[0], ids[1], ids[3]]);
    same(await outside(), ids);
    same(await store.flowsOutside([], ['blue']), []);
    // No database may confuse a group with another one that differs by a space.
    const spaced = await flowOf(jobs.get('blue ')!);
    same(await store.flowsOutside([spaced], ['blue']), [spaced]);
    same(await store.flowsOutside([spaced], ['blue ']), []);
    for (const group of hostileTexts) {
      const id = await flowOf(jobs.get(group)!);
      same(await store.flowsOutside([id], [group]), []);
      same(await store.flowsOutside([id], ['blue']), [id]);
    }
  },

  async 'changes flows, and nothing of a transaction that fails'(store) {
    const [one, two] = [await addFlow(store), await addFlow(store)];
    const change = { state: 'killed', isCancelled: true, openSteps: 0, failedSteps: 1, endedAt: T + 5 } as const;
    await ask(store, async (trx) => {
      const [held] = await trx.lockFlows([one, one, one + 1_000]);
      same(held, { ...flow(), id: one });
      await trx.putFlows([{ ...held!, ...change }]);
    });
    same(await store.flow(one), { ...flow(change), id: one });
    const failing = ask(store, async (trx) => {
      await trx.putFlows([{ ...flow(change), id: two }]);
      await trx.insertSteps([step(stepId(two, 0))]);
      throw new Error('no');
    });
    await failing.catch(() => {});
    same(await store.flow(two), { ...flow(), id: two });
    same(await store.flowSteps({ flowId: two, afterId: 0, limit: 9 }), []);
    same(
      (await ask(store, (trx) => trx.lockFlows([two, one]))).map(({ id }) => id),
      [one, two],
    );
    same(await ask(store, (trx) => trx.lockFlows([])), []);
  },

  async 'keeps the steps of a flow with all that hostile names and params may be'(store) {
    const [id, other] = [await addFlow(store), await addFlow(store, {}, 3)];
    const params = [null, ...hostileParams.map((each) => [each] as const)];
    const steps = params.map((given, i) =>
      step(stepId(id, i), {
        ...{ params: given, name: hostileTexts[i] ?? `step ${i}`, next: i === 0 ? [1, 2, 9_999] : [], jobId: i + 1 },
        ...{ sources: i === 1 ? 0 : i === 2 ? [1, 0] : null, isSource: i < 2, condition: i === 3 ? 'failed' : 'over' },
        ...{ openBefore: i, missedBefore: 1, failedBefore: 2, runId: i === 0 ? 12 : null },
      }),
    );
    await ask(store, (trx) => trx.insertSteps(steps));
    const ids = steps.map((each) => each.id);
    const byId = <R extends { id: number }>(rows: readonly R[]) => [...rows].sort((a, b) => a.id - b.id);
    await ask(store, async (trx) => {
      const standings = steps.map(({ name: _, jobId: __, params: ___, sources: ____, next: _____, ...rest }) => rest);
      same(byId(await trx.lockSteps({ ids })), standings);
      same(byId(await trx.lockSteps({ flowIds: [id] })), standings);
      same((await trx.lockSteps({ flowIds: [id, other] })).length, steps.length + 3);
      same(await trx.lockSteps({ ids: [] }), []);
      same(await trx.lockSteps({ flowIds: [] }), []);
      const plans = steps.map(({ id, name, jobId, params, sources }) => ({ id, name, jobId, params, sources }));
      same(byId(await trx.stepPlans(ids)), plans);
      same(byId(await trx.stepLinks({ ids: ids.slice(0, 2) })), [
        { ...standings[0], next: [1, 2, 9_999] },
        { ...standings[1], next: [] },
      ]);
      same((await trx.stepLinks({ flowIds: [other] })).length, 3);
    });
    const views = steps.map(({ id, name, state, runId }) => ({ id, name, state, runId }));
    same(await store.flowSteps({ flowId: id, afterId: 0, limit: 100 }), views);
    same(await store.flowSteps({ flowId: id, afterId: ids[1]!, limit: 2 }), views.slice(2, 4));
  },

  async 'changes steps, and keeps a result that is not given anew'(store) {
    const id = await addFlow(store, {}, 3);
    const [a, b, c] = [0, 1, 2].map((i) => stepId(id, i)) as [number, number, number];
    const standing = (of: number, change: object) => {
      const { name: _, jobId: __, params: ___, sources: ____, next: _____, ...rest } = step(of);
      return { ...rest, ...change };
    };
    const result = { list: hostileParams };
    await ask(store, async (trx) => {
      await trx.changeSteps([
        standing(a, { state: 'succeeded', runId: 5, result }),
        standing(b, { state: 'open', openBefore: 3, missedBefore: 2, failedBefore: 1, runId: 7 }),
      ]);
      same((await trx.stepResults([a]))[0], { id: a, name: `step ${a}`, result });
      await trx.changeSteps([standing(a, { state: 'failed', runId: 6 })]);
    });
    await ask(store, async (trx) => {
      same((await trx.stepResults([a]))[0]!.result, result);
      await trx.changeSteps([standing(a, { state: 'succeeded', runId: 6, result: null })]);
      const results = [...(await trx.stepResults([a, b, c]))].sort((x, y) => x.id - y.id);
      same(
        results.map((each) => each.result),
        [null, null, null],
      );
      const [, open] = [...(await trx.lockSteps({ ids: [a, b] }))].sort((x, y) => x.id - y.id);
      same(open, standing(b, { state: 'open', openBefore: 3, missedBefore: 2, failedBefore: 1, runId: 7 }));
    });
  },

  async 'takes 10,000 steps at once'(store) {
    const id = await addFlow(store, { openSteps: 10_000 }, 10_000);
    same((await store.flowSteps({ flowId: id, afterId: 0, limit: 20_000 })).length, 10_000);
    await ask(store, async (trx) => {
      const all = await trx.lockSteps({ flowIds: [id] });
      await trx.changeSteps(all.map((each, i) => ({ ...each, state: 'skipped', openBefore: i })));
    });
    const changed = await ask(store, (trx) => trx.lockSteps({ ids: [stepId(id, 9_999)] }));
    same(
      changed.map(({ state, openBefore }) => [state, openBefore]),
      [['skipped', 9_999]],
    );
  },

  async 'writes the run of a step once, and the run knows its step'(store) {
    const id = stepId(await addFlow(store, {}, 1), 0);
    const first = newRun({ flowStep: id, key: { kind: 'flow-step', stepId: id } });
    const [runId] = await addRuns(store, first);
    same((await store.run(runId!))!.flowStep, id);
    same(await ask(store, (trx) => trx.insertRuns([first])), [null]);
    // The ids of runs and of steps do not collide.
    await addRuns(store, newRun({ key: { kind: 'retry', runId: id } }));
  },

  async 'deletes flows that ended long ago, in slices'(store) {
    const open = await addFlow(store, {}, 1);
    const old = await addFlow(store, { state: 'succeeded', endedAt: T - 10 }, 5);
    const oldest = await addFlow(store, { state: 'failed', endedAt: T - 20 }, 2);
    const young = await addFlow(store, { state: 'succeeded', endedAt: T }, 1);
    const left = async () => (await store.flows({ limit: 9, beforeId: null })).map(({ id }) => id);
    const sweep = (limit: number) => ask(store, (trx) => trx.deleteFlows({ endedBefore: T, limit }));
    same(await sweep(2), 2);
    same(await left(), [young, oldest, old, open]);
    same(await store.flowSteps({ flowId: oldest, afterId: 0, limit: 9 }), []);
    same(await sweep(4), 4);
    same(await left(), [young, old, open]);
    same(await sweep(100), 3);
    same(await left(), [young, open]);
    same(await sweep(100), 0);
  },

  async 'lets one of two transactions wait that hold the same flow'(store) {
    const id = await addFlow(store, { openSteps: 20 });
    const end = () =>
      store.transaction(async (trx) => {
        const [held] = await trx.lockFlows([id]);
        await trx.putFlows([{ ...held!, openSteps: held!.openSteps - 1 }]);
      });
    await Promise.all(Array.from({ length: 20 }, end));
    same((await store.flow(id))!.openSteps, 0);
  },
};
