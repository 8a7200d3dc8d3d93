import { z } from 'zod';
import { fromHex } from '../../state/hex.js';
import { ChainProviderError } from './provider-error.js';

/** Strings are matched whole, so that digits inside them stay as they are. */
const STRING_OR_LONG_NUMBER = /"(?:[^"\\]|\\.)*"|-?\d{16,}(?![\d.eE])/g;
const BARE_HASH = /^\s*[0-9a-f]{64}\s*$/;

/** The JSON in `text`; whole numbers that a double might round are strings of digits. Rejects with `provider-answer`. */
export function parseJson(provider: string, text: string): unknown {
  // Some services answer a submission with the hash as plain text.
  if (BARE_HASH.test(text)) return text.trim();
  const exact = text.replace(STRING_OR_LONG_NUMBER, (found) => (found.startsWith('"') ? found : `"${found}"`));
  try {
    return JSON.parse(exact);
  } catch {
    throw new ChainProviderError('provider-answer', 'the answer is no JSON', { provider });
  }
}

/** `value` checked by `schema`. Rejects with `provider-answer` and the place of the first fault. */
export function answerAs<Schema extends z.ZodType>(provider: string, schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  const { path, message } = result.error.issues[0]!;
  const place = path.length === 0 ? 'the answer' : path.join('.');
  throw new ChainProviderError('provider-answer', `${place}: ${message}`, { provider });
}

/** A quantity, as digits or as a number. */
export const quantity = z
  .union([z.string().regex(/^\d+$/, 'expected a whole number'), z.int().min(0)])
  .transform((value) => BigInt(value));

/** Bytes in hex. */
export const hex = z.string().regex(/^([0-9a-fA-F]{2})*$/, 'expected hex digits');

/** Bytes in hex, as bytes. */
export const hexBytes = hex.transform((digits) => fromHex(digits));

/** The hash of a transaction whose output can be spent. */
export const hash = z.string().regex(/^[0-9a-f]{64}$/, 'expected 64 hex digits');

/** A hash that is only compared with others. */
export const name = z.string().min(1);

/** A slot, or an index. */
export const count = z.int().min(0);
