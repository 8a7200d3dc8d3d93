import { seededRandom } from '@horae/clock-store';
import { expect, test } from 'vitest';
import { inBounds } from '../keys/path-keys.js';
import { type Bounds, MODE } from './compiled-uses.js';
import { RangeSet } from './range-set.js';

const random = seededRandom('range set');

/** Mostly short ranges, some long, some open at one side. */
function randomBounds(): Bounds {
  const from = random.below(1000);
  const open = random.below(12);
  if (open === 0) return { from, to: undefined };
  if (open === 1) return { from: undefined, to: from + 1 };
  return { from, to: from + 1 + random.below(open === 2 ? 600 : 9) };
}

test('ranges that are added in any order and removed again are found like in a plain list', () => {
  const set = new RangeSet();
  for (let round = 0; round < 4; round++) {
    let list: (Bounds & { mode: number; user: number })[] = [];
    set.reset();
    for (let user = 1; user <= 400; user++) {
      const bounds = randomBounds();
      const mode = random.below(3);
      set.add(bounds, mode, user);
      list.push({ ...bounds, mode, user });
      if (random.below(3) === 0) {
        const gone = list[random.below(list.length)]!;
        set.remove(gone.user, gone);
        list = list.filter((each) => each !== gone);
      }
      const segment = random.below(1100);
      const wanted = list.filter(({ from, to }) => inBounds(segment, from, to));
      const found = set.containing(segment).map((range) => range.user);
      expect(found.sort((a, b) => a - b)).toEqual(wanted.map((range) => range.user));
      expect(set.isUsed(segment, MODE.read)).toBe(wanted.some((range) => range.mode !== MODE.read));
    }
  }
});
