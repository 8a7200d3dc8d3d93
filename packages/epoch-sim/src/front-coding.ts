/** Texts as what each adds to the one before it: names that are counted up share nearly everything. */
export interface FrontCoded {
  /** How much of the text before is kept, in code units. */
  readonly shared: Uint8Array;
  readonly rest: string[];
}

const MOST_SHARED = 255;

export function frontCoded(texts: readonly string[]): FrontCoded {
  const shared = new Uint8Array(texts.length);
  let before = '';
  const rest = texts.map((text, i) => {
    const most = Math.min(MOST_SHARED, text.length, before.length);
    let same = 0;
    while (same < most && text.charCodeAt(same) === before.charCodeAt(same)) same++;
    shared[i] = same;
    before = text;
    return text.slice(same);
  });
  return { shared, rest };
}

/** The texts again. */
export function frontDecoded({ shared, rest }: FrontCoded): string[] {
  let before = '';
  return rest.map((text, i) => {
    before = before.slice(0, shared[i]) + text;
    return before;
  });
}
