import { expect, test } from 'vitest';
import { seededRandom } from '../random.js';
import { type FaultPlanOptions, faultPlan } from './fault-plan.js';
import { createManualClock } from './manual-clock.js';

class Shelf {
  readonly #books: string[] = [];
  readonly name = 'shelf';
  async put(book: string): Promise<number> {
    return this.#books.push(book);
  }
  async list(): Promise<readonly string[]> {
    return [...this.#books];
  }
  async close(): Promise<string> {
    return 'closed';
  }
}

function shelfWith(options: FaultPlanOptions, seed = 'plan') {
  const shelf = new Shelf();
  const plan = faultPlan(seededRandom(seed), options);
  return { shelf, plan, port: plan.wrap(shelf) };
}

test('a plan without faults changes nothing, properties and private fields included', async () => {
  const { port, plan } = shelfWith({});
  expect(port.name).toBe('shelf');
  expect(await port.put('a')).toBe(1);
  expect(plan.log).toEqual([]);
});

test('the nth call of a method fails before it reaches the port', async () => {
  const { port, plan } = shelfWith({ calls: [{ method: 'put', nth: 2, fault: 'fail' }] });
  await port.put('a');
  await port.list();
  await expect(port.put('b')).rejects.toMatchObject({
    code: 'injected-fault',
    details: { method: 'put', nth: 2, call: 3 },
  });
  await port.put('c');
  expect(await port.list()).toEqual(['a', 'c']);
  expect(plan.log).toEqual([{ method: 'put', call: 3, nth: 2, fault: 'fail' }]);
});

test('a lost answer has had its effect', async () => {
  const { port } = shelfWith({ calls: [{ nth: 1, fault: 'lose-answer' }] });
  await expect(port.put('a')).rejects.toMatchObject({ code: 'injected-fault' });
  expect(await port.list()).toEqual(['a']);
});

test('a delayed call sleeps on the clock and then goes through', async () => {
  const clock = createManualClock({ now: 0 });
  const { port, plan } = shelfWith({ clock, longestDelayMs: 50, calls: [{ nth: 1, fault: 'delay' }] });
  const put = port.put('a');
  expect(await port.list()).toEqual([]);
  await clock.advanceBy(50);
  expect(await put).toBe(1);
  expect(plan.log[0]).toMatchObject({ fault: 'delay', delayMs: expect.any(Number) });
});

test.each([
  { fault: 'crash' as const, kept: [] as string[] },
  { fault: 'crash-after' as const, kept: ['a'] },
])('after a $fault nothing reaches any port until the restart, and close still works', async ({ fault, kept }) => {
  const { shelf, port, plan } = shelfWith({ calls: [{ method: 'put', nth: 1, fault }] });
  const other = plan.wrap(new Shelf());
  await expect(port.put('a')).rejects.toMatchObject({ code: 'injected-crash' });
  expect(plan.hasCrashed).toBe(true);
  await expect(other.list()).rejects.toMatchObject({ code: 'injected-crash' });
  expect(await port.close()).toBe('closed');
  expect(await shelf.list()).toEqual(kept);
  plan.restart();
  expect(await port.list()).toEqual(kept);
});

test('chances come from the seed: the same seed makes the same faults in the same places', async () => {
  const run = async (seed: string) => {
    const { port, plan } = shelfWith({ perMille: { fail: 200, 'lose-answer': 100 } }, seed);
    for (let call = 0; call < 200; call++) await port.put(String(call)).catch(() => {});
    return plan.log;
  };
  const log = await run('seed 1');
  expect(log.length).toBeGreaterThan(30);
  expect(log.length).toBeLessThan(90);
  expect(await run('seed 1')).toEqual(log);
  expect(await run('seed 2')).not.toEqual(log);
});

test('chances end at the given number of faults, and with heal', async () => {
  const { port, plan } = shelfWith({ perMille: { fail: 1_000 }, most: 2 });
  const outcomes = await Promise.allSettled([port.put('a'), port.put('b'), port.put('c')]);
  expect(outcomes.map((outcome) => outcome.status)).toEqual(['rejected', 'rejected', 'fulfilled']);
  const always = shelfWith({ perMille: { fail: 1_000 } });
  always.plan.heal();
  expect(await always.port.put('a')).toBe(1);
  expect(plan.log).toHaveLength(2);
});

test('the error can be the one that the real thing would throw', async () => {
  const { port } = shelfWith({
    calls: [{ nth: 1, fault: 'fail' }],
    makeError: ({ method }) => new Error(`${method} timed out`),
  });
  await expect(port.put('a')).rejects.toThrow('put timed out');
});

test.each([
  { story: 'delays without a clock', options: { perMille: { delay: 1 } } },
  { story: 'chances above one', options: { perMille: { fail: 600, crash: 600 } } },
  { story: 'a negative chance', options: { perMille: { fail: -1 } } },
  { story: 'a zeroth call', options: { calls: [{ nth: 0, fault: 'fail' as const }] } },
  { story: 'an unknown fault', options: { calls: [{ nth: 1, fault: 'explode' as never }] } },
])('a plan with $story is refused', ({ options }) => {
  expect(() => faultPlan(seededRandom(1), options)).toThrow(expect.objectContaining({ code: 'bad-fault-plan' }));
});
