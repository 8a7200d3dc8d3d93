import { type Random, seededRandom } from '@horae/clock-store';
import {
  type AttachmentKey,
  footprint,
  type Id,
  type NodeKey,
  type PathKey,
  type PendingRewrite,
  type PortKey,
} from '../../src/index.js';
import { SEGMENTS } from './path-universe.js';

/** How much a longer run does: `HORAE_LONG=1` multiplies the number of cases by ten. */
const LENGTH = process.env.HORAE_LONG === '1' ? 10 : 1;

/**
 * Runs a property for a number of seeds and prints them; `HORAE_SEED=<text>` runs it for that one alone. A failure names
 * its seed.
 */
export async function forSeeds(
  name: string,
  count: number,
  check: (random: Random, seed: string) => void | Promise<void>,
): Promise<void> {
  const given = process.env.HORAE_SEED;
  const seeds = given === undefined ? Array.from({ length: count * LENGTH }, (_, at) => `${name} ${at}`) : [given];
  console.info(`property "${name}": ${seeds.length} seeds, "${seeds[0]}" to "${seeds.at(-1)}"`);
  for (const seed of seeds) {
    try {
      await check(seededRandom(seed), seed);
    } catch (error) {
      throw new Error(`Property fails for HORAE_SEED="${seed}"`, { cause: error });
    }
  }
}

export function randomBytes(random: Random, length = 32): Uint8Array {
  return Uint8Array.from({ length }, () => random.below(256));
}

export function pick<T>(random: Random, choices: readonly T[]): T {
  return choices[random.below(choices.length)]!;
}

export function shuffled<T>(random: Random, list: readonly T[]): T[] {
  const copy = [...list];
  for (let at = copy.length - 1; at > 0; at--) {
    const other = random.below(at + 1);
    [copy[at], copy[other]] = [copy[other]!, copy[at]!];
  }
  return copy;
}

/** A name out of `variety` numbers, as many texts of the same digits, and as many byte names. */
export function randomId(random: Random, variety: number): Id {
  const number = random.below(variety);
  return pick<() => Id>(random, [
    () => number,
    () => String(number),
    () => {
      const bytes = new Uint8Array(32);
      bytes[31] = number;
      return bytes;
    },
  ])();
}

function some<T>(random: Random, most: number, make: () => T): T[] {
  return Array.from({ length: random.below(most + 1) }, make);
}

/** A point, subtree or range at most three segments deep. */
export function randomPathKey(random: Random, warp: Id): PathKey {
  const path = Array.from({ length: 1 + random.below(3) }, () => pick(random, SEGMENTS));
  const [from, to] = [random.below(SEGMENTS.length), random.below(SEGMENTS.length)].sort((a, b) => a - b);
  return pick<() => PathKey>(random, [
    () => ({ warp, id: path }),
    () => ({ warp, id: path }),
    () => ({ warp, path, subtree: true }),
    () => {
      if (random.below(3) === 0) return { warp, path, from: SEGMENTS[from!]! };
      if (from === to) return { warp, path, to: SEGMENTS[1 + random.below(3)]! };
      return { warp, path, from: SEGMENTS[from!]!, to: SEGMENTS[to!]! };
    },
  ])();
}

/**
 * A rewrite in warp 1 whose keys come from a small space, so that conflicts are common; reads may be in warp 2. A rich one has adds
 * and keys with paths besides; every other rewrite is rich unless the caller decides.
 */
export function randomRewrite(random: Random, variety = 12, most = 2, rich = random.below(2) === 0): PendingRewrite {
  const readWarp = () => (random.below(4) === 0 ? 2 : 1);
  const node = (warp: Id): NodeKey =>
    rich && random.below(2) === 0 ? randomPathKey(random, warp) : { warp, id: randomId(random, variety) };
  const attachment = (warp: Id): AttachmentKey => ({
    owner: pick(random, ['node', 'edge'] as const),
    plane: pick(random, ['alpha', 'beta'] as const),
    ...node(warp),
  });
  const port = (): PortKey => ({
    warp: 1,
    port: pick(random, [BigInt(random.below(variety)), random.below(variety), 2n ** 63n]),
  });
  const adds = rich
    ? {
        nAdd: some(random, most, () => node(1)),
        eAdd: some(random, most, () => node(1)),
        aAdd: some(random, most, () => attachment(1)),
      }
    : {};
  return {
    scopeHash: randomBytes(random),
    compactRule: random.uint32(),
    ...(random.below(2) === 0 ? { ruleId: randomBytes(random) } : {}),
    scope: { warp: 1, id: random.below(variety) },
    footprint: footprint({
      ...adds,
      nRead: some(random, most, () => node(readWarp())),
      nWrite: some(random, most, () => node(1)),
      eRead: some(random, most, () => node(readWarp())),
      eWrite: some(random, most, () => node(1)),
      aRead: some(random, most, () => attachment(readWarp())),
      aWrite: some(random, most, () => attachment(1)),
      bIn: some(random, most - 1, port),
      bOut: some(random, most - 1, port),
      factorMask: 1n | BigInt(random.uint32()),
    }),
    phase: 'matched',
  };
}
