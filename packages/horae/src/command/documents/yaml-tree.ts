import { Composer, type Document, Lexer, type LineCounter, Parser } from 'yaml';
import { MAX_NESTING } from './json-nesting.js';
import { MalformedDocument } from './malformed-document.js';

/** A document of this many tokens is read in some seconds. JSON of the same size needs a part of one. */
const MAX_TOKENS = 2_000_000;
/** Documents, scalars and keys stand on the parser's stack beside the collections. */
const COLLECTIONS: ReadonlySet<string> = new Set(['block-map', 'block-seq', 'flow-collection']);

/**
 * The same as `parseDocument`, with limits: tokens and nesting are counted before anything recursive runs. The parser's own search for
 * repeated keys, which compares every key of a map with every other, is off.
 */
export function readYamlTree(text: string, lines: LineCounter): Document.Parsed {
  const parser = new Parser(lines.addNewLine);
  // `next` alone does not report the first line.
  lines.addNewLine(0);
  const lineAt = (offset: number) => Math.max(1, lines.linePos(offset).line);
  const tokens = [];
  let count = 0;
  for (const lexeme of new Lexer().lex(text)) {
    for (const token of parser.next(lexeme)) tokens.push(token);
    if (++count > MAX_TOKENS) {
      const expected = `at most ${MAX_TOKENS} tokens of YAML; write a larger document as JSON`;
      throw new MalformedDocument(lineAt(parser.offset), expected, 'more');
    }
    if (parser.stack.length > MAX_NESTING && nesting(parser) > MAX_NESTING) {
      const line = lineAt(parser.offset - lexeme.length);
      throw new MalformedDocument(line, `at most ${MAX_NESTING} levels of nesting`, 'more');
    }
  }
  for (const token of parser.end()) tokens.push(token);
  const options = { lineCounter: lines, prettyErrors: false, uniqueKeys: false };
  const [document, second] = new Composer(options).compose(tokens, true, text.length) as unknown as Document.Parsed[];
  if (second === undefined) return document!;
  throw new MalformedDocument(lineAt(second.range[0]), 'one document', 'a second one');
}

function nesting({ stack }: Parser): number {
  return stack.filter(({ type }) => COLLECTIONS.has(type)).length;
}
