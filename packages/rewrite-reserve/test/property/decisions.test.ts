import { expect, test } from 'vitest';
import {
  createInterner,
  createRewriteScheduler,
  independent,
  type PendingRewrite,
  type RewriteScheduler,
} from '../../src/index.js';
import { blockersByScan, conflicts } from '../support/pairwise-oracle.js';
import { forSeeds, pick, randomRewrite } from '../support/random-rewrites.js';

const LEVELS = ['off', 'first', 'all'] as const;

test('radix, legacy and a pairwise scan take the same decisions, whatever is explained', async () => {
  await forSeeds('same decisions', 80, (random) => {
    const interner = createInterner();
    const schedulers = (['radix', 'legacy'] as const).flatMap((kind) =>
      LEVELS.map((explain) =>
        createRewriteScheduler({ kind, explain, ...(random.below(2) === 0 ? { interner } : {}) }),
      ),
    );
    const variety = 3 + random.below(40);
    const held: PendingRewrite[] = [];
    for (let step = 0; step < 60; step++) {
      const candidate = randomRewrite(random, variety);
      const wanted = held.every((holder) => !conflicts(holder, candidate));
      expect(held.every((holder) => independent(holder.footprint, candidate.footprint))).toBe(wanted);
      for (const scheduler of schedulers) expect(scheduler.reserve(5, candidate)).toBe(wanted);
      expect(candidate.phase).toBe(wanted ? 'reserved' : 'aborted');
      if (wanted) held.push(candidate);
    }
    for (const scheduler of schedulers) {
      expect(scheduler.finalizeTx(5)).toEqual({ reserved: held.length, conflicts: 60 - held.length });
    }
  });
});

test('explain gives what a pairwise scan gives, in its order, and reserveMany tells the same', async () => {
  await forSeeds('explain', 80, (random) => {
    const all = (['radix', 'legacy'] as const).map((kind) => createRewriteScheduler({ kind, explain: 'all' }));
    const first = (['radix', 'legacy'] as const).map((kind) => createRewriteScheduler({ kind }));
    const variety = 2 + random.below(25);
    const held: PendingRewrite[] = [];
    for (let step = 0; step < 40; step++) {
      const candidate = randomRewrite(random, variety, 3);
      const wanted = blockersByScan(held, candidate);
      for (const scheduler of all) {
        expect(scheduler.explain(1, candidate)).toEqual(wanted);
        expect(scheduler.reserveMany(1, [candidate]).entries[0]!.blockers).toEqual(wanted);
      }
      for (const scheduler of first) {
        expect(scheduler.explain(1, candidate)).toEqual(wanted.slice(0, 1));
        scheduler.reserve(1, candidate);
      }
      if (wanted.length === 0) held.push(candidate);
    }
  });
});

/** What a scheduler has seen and kept; a rollback forgets the tail, so replaying the rest must give the same state. */
function expectSameState(scheduler: RewriteScheduler, history: PendingRewrite[], probes: PendingRewrite[]): void {
  const replay = createRewriteScheduler({ explain: 'all' });
  for (const each of history) replay.reserve(1, { ...each });
  for (const probe of probes) {
    const strip = (list: ReturnType<RewriteScheduler['explain']>) =>
      list.map(({ blockedBy, ...rest }) => ({ ...rest, scopeHash: blockedBy.scopeHash }));
    expect(strip(scheduler.explain(1, probe))).toEqual(strip(replay.explain(1, probe)));
  }
}

test.each(['radix', 'legacy'] as const)('rolling back the %s kind is never having done it', async (kind) => {
  await forSeeds(`rollback ${kind}`, 50, (random) => {
    const scheduler = createRewriteScheduler({ kind, explain: 'all' });
    let history: PendingRewrite[] = [];
    const marks: { mark: ReturnType<RewriteScheduler['savepoint']>; history: PendingRewrite[] }[] = [];
    for (let step = 0; step < 60; step++) {
      const action = random.below(10);
      if (action === 0) {
        marks.push({ mark: scheduler.savepoint(1), history: [...history] });
      } else if (action === 1 && marks.length > 0) {
        const chosen = random.below(marks.length);
        const undone = history.slice(marks[chosen]!.history.length).filter(({ phase }) => phase === 'reserved');
        scheduler.rollbackTo(1, marks[chosen]!.mark);
        expect(undone.every(({ phase }) => phase === 'matched')).toBe(true);
        history = [...marks[chosen]!.history];
        for (const { mark } of marks.splice(chosen + 1)) expect(() => scheduler.rollbackTo(1, mark)).toThrow();
      } else {
        const batch = Array.from({ length: 1 + random.below(4) }, () => randomRewrite(random, 20));
        const allOrNothing = random.below(3) === 0;
        const result = scheduler.reserveMany(1, batch, { allOrNothing });
        if (!allOrNothing || result.conflicts === 0) history.push(...batch);
      }
    }
    expectSameState(
      scheduler,
      history,
      Array.from({ length: 12 }, () => randomRewrite(random, 20, 3)),
    );
  });
});

test('counters follow rollbacks', async () => {
  await forSeeds('counters', 50, (random) => {
    const scheduler = createRewriteScheduler();
    const stack: { mark: ReturnType<RewriteScheduler['savepoint']>; reserved: number; conflicts: number }[] = [];
    let [reserved, refused] = [0, 0];
    for (let step = 0; step < 40; step++) {
      if (random.below(6) === 0) stack.push({ mark: scheduler.savepoint(1), reserved, conflicts: refused });
      if (random.below(6) === 0 && stack.length > 0) {
        const back = pick(random, stack);
        stack.length = stack.indexOf(back) + 1;
        scheduler.rollbackTo(1, back.mark);
        [reserved, refused] = [back.reserved, back.conflicts];
      }
      if (scheduler.reserve(1, randomRewrite(random, 10))) reserved += 1;
      else refused += 1;
    }
    expect(scheduler.finalizeTx(1)).toEqual({ reserved, conflicts: refused });
  });
});
