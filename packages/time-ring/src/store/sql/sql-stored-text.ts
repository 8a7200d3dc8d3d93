/** What a text column of some database would refuse or change: NUL and half a surrogate pair. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: NUL is what is looked for
const UNFIT = /\u0000|\p{Surrogate}/u;

/** The text that was last found fit: most rows of a batch say the same. */
let fit = '';

/** Text as it is stored: as it is, or as ASCII JSON where a database could not keep it. A quote at the front tells the two apart. */
export function storedText(text: string): string {
  if (text === fit) return text;
  if (text.startsWith('"') || UNFIT.test(text)) return asciiJson(text);
  fit = text;
  return text;
}

export function storedTextOrNull(text: string | null): string | null {
  return text === null ? null : storedText(text);
}

/** What was stored. SQLite keeps whatever somebody puts into a text column: bytes are read as text as well as they can be. */
export function readText(stored: unknown): string {
  if (typeof stored !== 'string')
    return stored instanceof Uint8Array ? new TextDecoder().decode(stored) : String(stored);
  return stored.startsWith('"') ? (readJson(stored) as string) : stored;
}

export function readTextOrNull(stored: unknown): string | null {
  return stored === null ? null : readText(stored);
}

/** Any JSON as it is stored; null, which most parameters are, takes no room. */
export function storedJson(value: unknown): string | null {
  return value === null || value === undefined ? null : asciiJson(value);
}

/** What was stored. Text that somebody has broken by hand is given as the text it is: one row must not fail those around it. */
export function readJson(stored: unknown): unknown {
  if (stored === null) return null;
  if (typeof stored !== 'string') return readText(stored);
  try {
    return JSON.parse(stored);
  } catch {
    return stored;
  }
}

/** JSON in ASCII alone, so that no connection's or column's character set can change it. */
function asciiJson(value: unknown): string {
  return JSON.stringify(value).replace(
    /[\u0080-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
