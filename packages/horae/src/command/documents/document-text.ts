import { type Document, isMap, isScalar, isSeq, LineCounter, type Node, visit, type YAMLMap } from 'yaml';
import type { LineOf } from './document-fault.js';
import { isNestedTooDeeply, MAX_NESTING } from './json-nesting.js';
import { MalformedDocument } from './malformed-document.js';
import { readYamlTree } from './yaml-tree.js';

/** The value of a text, and where its parts stand in the text. */
export interface ParsedDocument {
  readonly value: unknown;
  readonly lineOf: LineOf;
}

/** The YAML parser builds a tree of many times the size of the text, so faults in a longer JSON text are reported without lines. */
const MAX_CHARACTERS_WITH_LINES = 4 * 1024 * 1024;

/** Reads YAML or JSON text of at most 64 levels of nesting. Throws `MalformedDocument`. */
export function parseText(text: string): ParsedDocument {
  // JSON is YAML too, but its own parser is a hundred times faster; the YAML parser runs only when a line is wanted, and once.
  const json = tryJson(text);
  if (json === null) return parseYaml(text);
  if (isNestedTooDeeply(text)) throw new MalformedDocument(null, `at most ${MAX_NESTING} levels of nesting`, 'more');
  let finder: LineOf | null = text.length > MAX_CHARACTERS_WITH_LINES ? () => null : null;
  const lineOf: LineOf = (path) => {
    finder ??= jsonLines(text);
    return finder(path);
  };
  return { value: json.value, lineOf };
}

function tryJson(text: string): { readonly value: unknown } | null {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return null;
  }
}

/** JSON accepts what YAML refuses, such as a duplicate key or very many parts: then there are no lines. */
function jsonLines(text: string): LineOf {
  const lines = new LineCounter();
  try {
    const document = readYamlTree(text, lines);
    return document.errors.length > 0 ? () => null : lineFinder(document, lines);
  } catch (error) {
    if (error instanceof MalformedDocument) return () => null;
    throw error;
  }
}

function parseYaml(text: string): ParsedDocument {
  const lines = new LineCounter();
  const document = readYamlTree(text, lines);
  const [broken] = document.errors;
  if (broken !== undefined) {
    throw new MalformedDocument(lines.linePos(broken.pos[0]).line, 'well-formed YAML or JSON', broken.message);
  }
  refuseRepeatedKeys(document, lines);
  return { value: toPlain(document), lineOf: lineFinder(document, lines) };
}

function refuseRepeatedKeys(document: Document.Parsed, lines: LineCounter): void {
  visit(document, {
    Map(_, map) {
      const seen = new Set<unknown>();
      for (const { key } of map.items) {
        const name = isScalar(key) ? key.value : key;
        if (!seen.has(name)) {
          seen.add(name);
          continue;
        }
        const line = lines.linePos((key as Node).range![0]).line;
        throw new MalformedDocument(line, 'a key only once in a map', `"${String(name)}" again`);
      }
    },
  });
}

function toPlain(document: Document.Parsed): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch (error) {
    throw new MalformedDocument(null, 'fewer aliases', (error as Error).message);
  }
}

/** Finds the line of a path. The keys of a map are indexed the first time that it is entered. */
function lineFinder(document: Document.Parsed, lines: LineCounter): LineOf {
  const indexes = new Map<YAMLMap, ReadonlyMap<string, unknown>>();
  const child = (node: unknown, key: PropertyKey): unknown => {
    if (isSeq(node)) return node.items[Number(key)];
    if (!isMap(node)) return undefined;
    const index = indexes.get(node) ?? indexOf(node);
    indexes.set(node, index);
    return index.get(String(key));
  };
  return (path) => {
    // A field that is missing has no line of its own: the deepest thing around it does.
    let offset: number | null = null;
    let node: unknown = document.contents;
    for (const key of [null, ...path]) {
      if (key !== null) node = child(node, key);
      const range = (node as Node | null | undefined)?.range;
      if (range == null) break;
      offset = range[0];
    }
    return offset === null ? null : lines.linePos(offset).line;
  };
}

function indexOf(map: YAMLMap): ReadonlyMap<string, unknown> {
  return new Map(map.items.map(({ key, value }) => [String(isScalar(key) ? key.value : key), value]));
}
