/**
 * C0 and C1 control characters and DEL, which drive a terminal, and the controls that reverse the direction of text, which make one
 * line look like another.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const control = /[\u0000-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the same, but for the ends of lines and tabs
const controlInLines = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g;

const short: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/** One line of text with its control characters escaped: names, messages and logs come from anywhere and are not to drive a terminal. */
export function escapeLine(text: string): string {
  return text.replace(control, escaped);
}

/** Text of several lines with its control characters escaped, except for line ends and tabs. */
export function escapeLines(text: string): string {
  return text.replace(controlInLines, escaped);
}

function escaped(character: string): string {
  return short[character] ?? `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
