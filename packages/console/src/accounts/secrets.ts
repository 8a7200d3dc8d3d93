import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { type Random, systemRandom } from '@horae/clock-store';

const WORDS = 8;

/** 256 random bits, for a URL or a header. */
export function createSecret(random: Random = systemRandom()): string {
  const bytes = Buffer.alloc(WORDS * 4);
  for (let word = 0; word < WORDS; word++) bytes.writeUInt32LE(random.uint32(), word * 4);
  return bytes.toString('base64url');
}

/** The stored form of a secret: enough to recognise it. A secret of 256 bits needs no slow hash. */
export function secretHash(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** A text that only a holder of the key can make. */
export function signed(key: string, text: string): string {
  return createHmac('sha256', key).update(text).digest('base64url');
}

/** Whether two texts are the same, in a time that does not reveal where they differ. */
export function isSameText(one: string, other: string): boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  return timingSafeEqual(hash(one), hash(other));
}
