const DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** Bytes as lower case hex digits. */
export function toHex(bytes: Uint8Array): string {
  let hex = '';
  for (let at = 0; at < bytes.length; at++) hex += DIGITS[bytes[at] as number];
  return hex;
}

/** The bytes of an even number of hex digits. */
export function fromHex(hex: string): Uint8Array {
  const bytes = new Uint8Array(hex.length / 2);
  for (let at = 0; at < bytes.length; at++)
    bytes[at] = (digitValue(hex.charCodeAt(2 * at)) << 4) | digitValue(hex.charCodeAt(2 * at + 1));
  return bytes;
}

/** The value of a hex digit by its character code: letters have bit 6 set, and `a` follows 9. */
function digitValue(code: number): number {
  return (code & 15) + (code >> 6) * 9;
}
