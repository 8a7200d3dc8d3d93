import { createHash } from 'node:crypto';
import { seededRandom } from '@horae/clock-store';
import { expect, test } from 'vitest';
import { randomBytes } from '../../test/support/random-rewrites.js';
import { Sha256 } from './sha256.js';

test('SHA-256 agrees with Node for every length around the block size, in any pieces', () => {
  const random = seededRandom('sha256');
  for (let length = 0; length < 200; length++) {
    const bytes = randomBytes(random, length);
    const sha = new Sha256();
    for (let at = 0; at < length; ) {
      const taken = 1 + random.below(100);
      sha.update(bytes.subarray(at, at + taken));
      at += taken;
    }
    expect(Buffer.from(sha.digest()).toString('hex')).toBe(createHash('sha256').update(bytes).digest('hex'));
  }
});
