import type { Random } from '@horae/clock-store';
import { compareBytes } from '../keys/key-order.js';
import { RewriteArgumentError } from '../keys/rewrite-errors.js';
import type { PendingRewrite } from '../reserve/pending-rewrite.js';

/** A summary of the state after all rewrites; two states with the same digest count as the same. */
export type Digest = string | Uint8Array;

/**
 * Whether every order that was tried had the same digest. If not, `pair` are neighbours in `order`, and swapping only them changes the
 * digest. `orders` counts all orders tried, the given one and its reverse included.
 */
export type CommuteVerdict =
  | { readonly commutes: true; readonly orders: number }
  | {
      readonly commutes: false;
      readonly pair: readonly [PendingRewrite, PendingRewrite];
      readonly order: readonly PendingRewrite[];
    };

/** Options of `checkCommutes`. */
export interface CheckCommutesOptions {
  /** Number of random orders, from 0 to 1,000,000, tried after the given order and its reverse. */
  readonly orders: number;
  /** Draws the orders: the same seed, the same orders. */
  readonly random: Random;
}

type Order = readonly PendingRewrite[];
type Apply = (order: Order) => Digest | Promise<Digest>;

const MAX_ORDERS = 1_000_000;

/**
 * Tries whether accepted rewrites really commute: applies them in the given order, in reverse, and in random orders, and
 * compares the digests. `apply` starts from the same state every time. A difference is narrowed down to one pair with a
 * number of further runs that grows with the logarithm of the number of rewrites. No difference is no proof.
 */
export async function checkCommutes(
  accepted: Order,
  apply: Apply,
  { orders, random }: CheckCommutesOptions,
): Promise<CommuteVerdict> {
  if (!Number.isInteger(orders) || orders < 0 || orders > MAX_ORDERS) {
    throw new RewriteArgumentError(`orders must be an integer from 0 to ${MAX_ORDERS}`, {
      field: 'orders',
      value: orders,
    });
  }
  const given = [...accepted];
  const wanted = await apply([...given]);
  const positions = given.map((_, position) => position);
  for (let tried = 0; tried <= orders; tried++) {
    const target = tried === 0 ? positions.toReversed() : shuffled(positions, random);
    const digest = await apply(target.map((position) => given[position]!));
    if (!sameDigest(digest, wanted)) return findPair(given, target, wanted, apply);
  }
  return { commutes: true, orders: orders + 2 };
}

/**
 * Walks from the given order to `target` by swaps of neighbours: the rewrites of `target` move one by one to their places at
 * the front. The digest at the two ends differs, so somewhere on the way one swap changes it; halving finds one. First the
 * rewrite whose move changes the digest, then the step of its move.
 */
async function findPair(given: Order, target: number[], wanted: Digest, apply: Apply): Promise<CommuteVerdict> {
  const digestOf = async (positions: number[]) => apply(positions.map((position) => given[position]!));
  const placed = (count: number) => {
    const front = target.slice(0, count);
    const moved = new Set(front);
    return [...front, ...[...given.keys()].filter((position) => !moved.has(position))];
  };
  const moves = await lastUnchanged(target.length, wanted, (count) => digestOf(placed(count)));
  const before = placed(moves);
  const from = before.indexOf(target[moves]!);
  if (from === moves) {
    throw new RewriteArgumentError('apply gives different digests for the same order', {
      field: 'apply',
      value: apply,
    });
  }
  const shifted = (steps: number) => {
    const order = [...before];
    order.splice(from - steps, 0, ...order.splice(from, 1));
    return order;
  };
  const steps = await lastUnchanged(from - moves, wanted, (count) => digestOf(shifted(count)));
  const order = shifted(steps).map((position) => given[position]!);
  const at = from - steps - 1;
  return { commutes: false, pair: [order[at]!, order[at + 1]!], order };
}

/** A step below `last` that has the digest `first`, as step 0 has, while the step after it has another. */
async function lastUnchanged(
  last: number,
  first: Digest,
  digestAt: (step: number) => Promise<Digest>,
): Promise<number> {
  let low = 0;
  let high = last;
  // The digest at `low` is always `first`, the one at `high` always another.
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (sameDigest(await digestAt(middle), first)) low = middle;
    else high = middle;
  }
  return low;
}

function shuffled(positions: readonly number[], random: Random): number[] {
  const order = [...positions];
  for (let at = order.length - 1; at > 0; at--) {
    const other = random.below(at + 1);
    [order[at], order[other]] = [order[other]!, order[at]!];
  }
  return order;
}

function sameDigest(a: Digest, b: Digest): boolean {
  if (typeof a === 'string' || typeof b === 'string') return a === b;
  return compareBytes(a, b) === 0;
}
