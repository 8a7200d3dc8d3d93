import { scrypt, timingSafeEqual } from 'node:crypto';
import { createSecret } from './secrets.js';

/** 32 MiB and about a tenth of a second: expensive for an attacker with a stolen table, acceptable for a login. */
const COST = { n: 2 ** 15, r: 8, p: 1 };
const KEY_BYTES = 32;

/** The hash of a password with its salt and its cost, so that the cost can be raised later. */
export async function hashPassword(password: string): Promise<string> {
  const salt = createSecret();
  const { n, r, p } = COST;
  return `scrypt$${n}$${r}$${p}$${salt}$${(await derive(password, salt, COST)).toString('base64url')}`;
}

/** Whether a password matches the hash. An unreadable hash matches none. */
export async function isPassword(password: string, hash: string): Promise<boolean> {
  const [kind, n, r, p, salt, key] = hash.split('$');
  if (kind !== 'scrypt' || salt === undefined || key === undefined) return false;
  const wanted = Buffer.from(key, 'base64url');
  const found = await derive(password, salt, { n: Number(n), r: Number(r), p: Number(p) });
  return wanted.length === found.length && timingSafeEqual(wanted, found);
}

function derive(password: string, salt: string, { n, r, p }: typeof COST): Promise<Buffer> {
  return new Promise((resolve, reject) =>
    scrypt(password.normalize('NFKC'), salt, KEY_BYTES, { N: n, r, p, maxmem: 256 * n * r }, (error, key) =>
      error === null ? resolve(key) : reject(error),
    ),
  );
}
