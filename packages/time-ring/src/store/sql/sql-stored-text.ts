/** Characters that a text column of some database would reject or change: NUL and half a surrogate pair. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: NUL is what is looked for
const UNFIT = /\u0000|\p{Surrogate}/u;

/** The last text found to be storable: most rows of a batch have the same one. */
let fit = '';

/** Text as it is stored: unchanged, or as ASCII JSON where a database could not store it. A leading quote distinguishes the two. */
export function storedText(text: string): string {
  if (text === fit) return text;
  if (text.startsWith('"') || UNFIT.test(text)) return asciiJson(text);
  fit = text;
  return text;
}

export function storedTextOrNull(text: string | null): string | null {
  return text === null ? null : storedText(text);
}

/** Reads stored text. SQLite accepts any value in a text column: bytes are decoded as text as well as possible. */
export function readText(stored: unknown): string {
  if (typeof stored !== 'string')
    return stored instanceof Uint8Array ? new TextDecoder().decode(stored) : String(stored);
  return stored.startsWith('"') ? (readJson(stored) as string) : stored;
}

export function readTextOrNull(stored: unknown): string | null {
  return stored === null ? null : readText(stored);
}

/** Any JSON as it is stored; null, which most parameters are, is stored as null. */
export function storedJson(value: unknown): string | null {
  return value === null || value === undefined ? null : asciiJson(value);
}

/** Reads stored JSON. Text damaged by hand is returned as a string: one row must not fail the rows around it. */
export function readJson(stored: unknown): unknown {
  if (stored === null) return null;
  if (typeof stored !== 'string') return readText(stored);
  try {
    return JSON.parse(stored);
  } catch {
    return stored;
  }
}

/** JSON in ASCII only, so that no connection's or column's character set can change it. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
