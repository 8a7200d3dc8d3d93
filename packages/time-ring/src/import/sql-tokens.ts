/** A token of SQL text: a name (quoted or not), a value, or a symbol such as a bracket. */
export type SqlToken =
  | { readonly kind: 'name'; readonly text: string; readonly line: number }
  | { readonly kind: 'value'; readonly value: string | number; readonly line: number }
  | { readonly kind: 'sign'; readonly text: string; readonly line: number };

/** A text that ends in the middle of a value, a name or a comment. */
export class SqlTextError extends Error {
  constructor(
    message: string,
    readonly line: number,
  ) {
    super(message);
  }
}

const escapes: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', b: '\b', '0': '\0', Z: '\x1a' };
const NAME = /[\p{L}_$][\p{L}\p{N}_$]*/uy;
const NUMBER = /-?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?/iy;
const SPACE = /\s+/y;
const LINE_COMMENT = /(?:--(?=\s|$)|#)[^\n]*/my;

/** The tokens of a MySQL dump without comments. Throws `SqlTextError` when the text is incomplete. */
export function* sqlTokens(text: string): Generator<SqlToken> {
  let at = 0;
  let line = 1;
  const skip = (pattern: RegExp): string | null => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0] ?? null;
    if (found !== null) advance(at + found.length);
    return found;
  };
  /** The end of the current line: searched for once per line, however many tokens it has. */
  let lineEnd = endOfLine(text, 0);
  const advance = (to: number) => {
    for (; lineEnd < to; lineEnd = endOfLine(text, lineEnd + 1)) line += 1;
    at = to;
  };
  while (at < text.length) {
    const begin = line;
    if (skip(SPACE) !== null || skip(LINE_COMMENT) !== null) continue;
    const sign = text[at]!;
    if (text.startsWith('/*', at)) {
      // The content of /*! … */ is session set-up, never a row.
      const end = text.indexOf('*/', at + 2);
      if (end < 0) throw new SqlTextError('a comment is not closed', begin);
      advance(end + 2);
    } else if (sign === "'" || sign === '"' || sign === '`') {
      const { value, end } = quoted(text, at, begin);
      advance(end);
      yield sign === '`' ? { kind: 'name', text: value, line: begin } : { kind: 'value', value, line: begin };
    } else {
      const number = skip(NUMBER);
      const name = number === null ? skip(NAME) : null;
      if (number !== null) yield { kind: 'value', value: Number(number), line: begin };
      else if (name !== null) yield { kind: 'name', text: name, line: begin };
      else {
        advance(at + 1);
        yield { kind: 'sign', text: sign, line: begin };
      }
    }
  }
}

function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? Number.POSITIVE_INFINITY : end;
}

/** A quoted string from its opening quote on: doubled quotes and backslashes are read as MySQL reads them. */
function quoted(text: string, from: number, line: number): { value: string; end: number } {
  const quote = text[from]!;
  let value = '';
  for (let at = from + 1; at < text.length; at++) {
    const unit = text[at]!;
    if (unit === '\\' && quote !== '`') {
      at += 1;
      const escaped = text[at] ?? '';
      // \% and \_ keep their backslash, because they have a meaning only in LIKE.
      value += escapes[escaped] ?? (escaped === '%' || escaped === '_' ? `\\${escaped}` : escaped);
    } else if (unit !== quote) {
      value += unit;
    } else if (text[at + 1] === quote) {
      value += quote;
      at += 1;
    } else {
      return { value, end: at + 1 };
    }
  }
  throw new SqlTextError('a quoted text is not closed', line);
}
