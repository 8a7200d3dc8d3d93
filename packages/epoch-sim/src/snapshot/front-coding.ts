import { check } from './snapshot-fault.js';

/** Texts as what each adds to the one before it: names that are counted up share nearly everything. */
export interface FrontCoded {
  /** How much of the text before is kept, in code units. */
  readonly shared: Uint8Array;
  /** How much is added, in code units. */
  readonly added: Int32Array;
  /** All that is added, without anything in between. */
  readonly rest: string;
}

const MAX_SHARED = 255;

export function frontCoded(texts: readonly string[]): FrontCoded {
  const shared = new Uint8Array(texts.length);
  const added = new Int32Array(texts.length);
  let before = '';
  const rest = texts.map((text, i) => {
    const most = Math.min(MAX_SHARED, text.length, before.length);
    let same = 0;
    while (same < most && text.charCodeAt(same) === before.charCodeAt(same)) same++;
    shared[i] = same;
    added[i] = text.length - same;
    before = text;
    return text.slice(same);
  });
  return { shared, added, rest: rest.join('') };
}

/** The texts again. */
export function frontDecoded({ shared, added, rest }: FrontCoded): string[] {
  let before = '';
  let from = 0;
  check(shared.length === added.length && typeof rest === 'string', 'names', shared.length);
  return Array.from(shared, (same, i) => {
    const to = from + added[i]!;
    check(to >= from && to <= rest.length && same <= before.length, 'names', to);
    before = before.slice(0, same) + rest.slice(from, to);
    from = to;
    return before;
  });
}
