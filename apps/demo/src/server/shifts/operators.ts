import { createHash } from 'node:crypto';

/** The seasons and the hours of the day: operators of the demo's chain. */
export const seasons = ['Thallo', 'Auxo', 'Karpo', 'Eunomia', 'Dike', 'Eirene'] as const;
export const hours = [
  'Auge',
  'Anatole',
  'Musike',
  'Nymphe',
  'Mesembria',
  'Sponde',
  'Elete',
  'Akte',
  'Hesperis',
  'Dysis',
];

/** A key hash: 28 bytes that belong to a name, the same in every run. */
export function keyOf(name: string): string {
  return createHash('sha224').update(`horae ${name}`).digest('hex');
}

const names = new Map([...seasons, ...hours].map((name) => [keyOf(name), name]));

/** The name behind a key; a shortened key for an unknown operator. */
export function nameOf(key: string): string {
  return names.get(key) ?? `${key.slice(0, 8)}…`;
}

/** Messages of the rules name keys; people read names. */
export function withNames(text: string): string {
  return text.replace(/[0-9a-f]{56}/g, nameOf);
}
