import {
  Composer,
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  type Node,
  Parser,
  visit,
  type YAMLMap,
} from 'yaml';
import { quote } from '../interchange/sim-errors.js';
import { MAX_NESTING, type Path, placeAt, type ScenarioText, TextFault, type TextPlace } from './scenario-place.js';

/** A document of this many tokens is read in about four seconds. JSON of the same size needs a part of one. */
const MAX_TOKENS = 2_000_000;
/** Documents, scalars and keys stand on the parser's stack beside the collections. */
const COLLECTIONS: ReadonlySet<string> = new Set(['block-map', 'block-seq', 'flow-collection']);

/** A YAML text as a value. Throws `TextFault` where it is malformed, nested too deeply, too long, or has a key twice. */
export function readYaml(text: string): ScenarioText {
  const lines = new LineCounter();
  const document = composed(text, lines);
  const [broken] = document.errors;
  if (broken !== undefined) {
    const place = placeAt(lines, broken.pos[0]);
    throw new TextFault({ place, expected: 'well-formed YAML or JSON', received: broken.message });
  }
  checkKeys(document, lines);
  try {
    const placeOf = placesIn(document, lines);
    return { value: document.toJS(), placesOf: (paths) => paths.map(placeOf) };
  } catch {
    throw new TextFault({ place: null, expected: 'at most 100 uses of aliases', received: 'more' });
  }
}

/**
 * The same as `parseDocument`, with limits: tokens are counted and the nesting is checked before anything recursive runs, and the library's
 * own test for duplicate keys, which compares every pair of keys, is off.
 */
function composed(text: string, lines: LineCounter): Document.Parsed {
  const parser = new Parser(lines.addNewLine);
  // `next` alone does not report the first line.
  lines.addNewLine(0);
  const tokens: ReturnType<Parser['next']> extends Generator<infer Token> ? Token[] : never = [];
  let count = 0;
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) tokens.push(token);
    if (++count > MAX_TOKENS) {
      const expected = `at most ${MAX_TOKENS} tokens of YAML; give a larger scenario as JSON`;
      throw new TextFault({ place: placeAt(lines, parser.offset), expected, received: 'more' });
    }
    if (parser.stack.length > MAX_NESTING && nesting(parser) > MAX_NESTING) {
      const place = placeAt(lines, parser.offset - lexeme.length);
      throw new TextFault({ place, expected: `at most ${MAX_NESTING} levels of nesting`, received: 'more' });
    }
  }
  for (const token of parser.end()) tokens.push(token);
  const options = { lineCounter: lines, prettyErrors: false, uniqueKeys: false };
  const [document, second] = new Composer(options).compose(tokens, true, text.length) as unknown as Document.Parsed[];
  if (second === undefined) return document!;
  const place = placeAt(lines, second.range[0]);
  throw new TextFault({ place, expected: 'one document', received: 'a second one' });
}

function nesting({ stack }: Parser): number {
  return stack.filter(({ type }) => COLLECTIONS.has(type)).length;
}

/** Throws at the second of two equal keys of one map, and at a list or map as a key, whose text would grow with each level. */
function checkKeys(document: Document.Parsed, lines: LineCounter): void {
  visit(document, {
    Map(_key, map, ancestors) {
      const seen = new Set<string>();
      for (const { key } of map.items) {
        const place = placeAt(lines, (isNode(key) ? key.range?.[0] : undefined) ?? map.range?.[0] ?? 0);
        if (key !== null && !isScalar(key))
          throw new TextFault({
            path: pathTo(ancestors, map),
            place,
            expected: 'a text as key',
            received: 'another value',
          });
        const text = String(key?.value ?? '');
        if (seen.has(text)) {
          const path = [...pathTo(ancestors, map), text];
          throw new TextFault({ path, place, expected: 'each key once', received: `${quote(text)} again` });
        }
        seen.add(text);
      }
    },
  });
}

/** The keys that lead to a map from the top. */
function pathTo(ancestors: readonly unknown[], map: YAMLMap): PropertyKey[] {
  const nodes = [...ancestors, map];
  return nodes.flatMap((node, i): PropertyKey[] => {
    if (isSeq(node)) return [node.items.indexOf(nodes[i + 1])];
    const key = (node as { key?: unknown }).key;
    return isScalar(key) ? [String(key.value)] : [];
  });
}

/** Looks a path up from the top. The keys of a map are put into a table at the first look at it. */
function placesIn(document: Document.Parsed, lines: LineCounter): (path: Path) => TextPlace | null {
  const tables = new Map<YAMLMap, Map<string, unknown>>();
  const tableOf = (map: YAMLMap): Map<string, unknown> => {
    let table = tables.get(map);
    if (table === undefined) {
      table = new Map(map.items.map(({ key, value }) => [String(isScalar(key) ? key.value : key), value]));
      tables.set(map, table);
    }
    return table;
  };
  return (path) => {
    let node: unknown = document.contents;
    let deepest = node;
    for (const key of path) {
      if (isAlias(node)) node = node.resolve(document);
      if (isMap(node)) node = tableOf(node).get(String(key));
      else node = isSeq(node) ? node.items[Number(key)] : undefined;
      if (!isNode(node)) break;
      deepest = node;
    }
    const range = (deepest as Node | null)?.range;
    return range ? placeAt(lines, range[0]) : null;
  };
}
