import type { Random } from '@horae/clock-store';

/** A random UUID (version 4). */
export function createUuid(random: Random): string {
  const words = Array.from({ length: 4 }, () => random.uint32());
  words[1] = (words[1]! & 0xffff_0fff) | 0x4000;
  words[2] = (words[2]! & 0x3fff_ffff) | 0x8000_0000;
  const hex = words.map((word) => (word >>> 0).toString(16).padStart(8, '0')).join('');
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
}
