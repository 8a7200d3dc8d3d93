/** A positive number as numerator over denominator, without loss. */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/**
 * The decimal fraction that the shortest text of `value` spells: 1.1 is 11/10 and not the binary number next to it. Null
 * unless the value is finite and > 0.
 */
export function decimalFraction(value: unknown): Fraction | null {
  if (typeof value !== 'number' || !Number.isFinite(value) || value <= 0) return null;
  const [mantissa = '', exponentText = '0'] = String(value).split('e');
  const [whole = '', decimals = ''] = mantissa.split('.');
  const digits = BigInt(whole + decimals);
  const exponent = Number(exponentText) - decimals.length;
  return exponent >= 0
    ? { numerator: digits * 10n ** BigInt(exponent), denominator: 1n }
    : { numerator: digits, denominator: 10n ** BigInt(-exponent) };
}
