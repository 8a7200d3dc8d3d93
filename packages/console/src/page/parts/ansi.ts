/** A piece of a line with the classes of its colours. */
export interface AnsiSpan {
  readonly text: string;
  readonly classes: string;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: escape sequences begin with one
const SEQUENCE = /\u001b\[([\d;]*)([A-Za-z])/g;

/** The colours of a line that was written for a terminal. Other sequences are left out; nothing becomes markup. */
export function ansiSpans(line: string): AnsiSpan[] {
  const spans: AnsiSpan[] = [];
  let state: ReadonlySet<string> = new Set();
  let from = 0;
  const take = (to: number) => {
    if (to > from) spans.push({ text: line.slice(from, to), classes: [...state].join(' ') });
  };
  for (const match of line.matchAll(SEQUENCE)) {
    take(match.index);
    from = match.index + match[0].length;
    if (match[2] === 'm') state = afterCodes(state, match[1]!);
  }
  take(line.length);
  return spans;
}

function afterCodes(before: ReadonlySet<string>, text: string): ReadonlySet<string> {
  const state = new Set(before);
  const drop = (prefix: string) => {
    for (const name of [...state]) if (name.startsWith(prefix)) state.delete(name);
  };
  for (const code of text.split(';').map(Number)) {
    if (code === 0) state.clear();
    else if (code === 1) state.add('ansi-bold');
    else if (code === 2) state.add('ansi-faint');
    else if (code === 22) for (const name of ['ansi-bold', 'ansi-faint']) state.delete(name);
    else if ((code >= 30 && code <= 39) || (code >= 90 && code <= 97)) {
      drop('ansi-ink-');
      if (code !== 39) state.add(`ansi-ink-${code % 10}`);
    }
  }
  return state;
}
