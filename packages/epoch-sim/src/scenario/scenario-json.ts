import { LineCounter } from 'yaml';
import { quote } from '../interchange/sim-errors.js';
import { MAX_NESTING, type Path, placeAt, type ScenarioText, TextFault } from './scenario-place.js';

/** Paths that are looked for, by their keys; `numbers` are those that lead here or further on. */
class WantedPaths {
  readonly numbers: number[] = [];
  readonly #next = new Map<string, WantedPaths>();

  add(path: Path, number: number): void {
    this.numbers.push(number);
    if (path.length === 0) return;
    const key = String(path[0]);
    const next = this.#next.get(key) ?? new WantedPaths();
    this.#next.set(key, next);
    next.add(path.slice(1), number);
  }

  next(key: PropertyKey): WantedPaths | undefined {
    return this.#next.get(String(key));
  }
}

/** An object or list that is open while the text is scanned. */
interface Open {
  readonly isList: boolean;
  readonly keys: Set<string>;
  readonly wanted: WantedPaths | undefined;
  key: PropertyKey;
}

/**
 * A JSON text as a value; null for any other text. `JSON.parse` reads it; the scan beside it finds duplicate keys and, when there are
 * faults to show, their places.
 */
export function readJson(text: string): ScenarioText | null {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return null;
  }
  scan(text, undefined, []);
  return { value, placesOf: (paths) => jsonPlaces(text, paths) };
}

/** The places of several paths, from one walk through the text. */
function jsonPlaces(text: string, paths: readonly Path[]) {
  const wanted = new WantedPaths();
  for (const [i, path] of paths.entries()) wanted.add(path, i);
  const offsets = new Array<number>(paths.length).fill(0);
  scan(text, wanted, offsets);
  const lines = linesOf(text);
  return offsets.map((offset) => placeAt(lines, offset));
}

function linesOf(text: string): LineCounter {
  const lines = new LineCounter();
  lines.addNewLine(0);
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines.addNewLine(at + 1);
  return lines;
}

/**
 * Walks through a text that is known to be JSON and writes down where the wanted paths are. Throws `TextFault` at a duplicate
 * key and at too deep a nesting.
 */
function scan(text: string, wanted: WantedPaths | undefined, offsets: number[]): void {
  const open: Open[] = [];
  let isKey = false;
  const found = (offset: number): WantedPaths | undefined => {
    const top = open.at(-1);
    const here = top === undefined ? wanted : top.wanted?.next(top.key);
    // Values come after those around them, so that the innermost one is found last.
    if (here !== undefined) for (const number of here.numbers) offsets[number] = offset;
    return here;
  };
  for (let at = 0; at < text.length; at++) {
    const character = text.charCodeAt(at);
    if (character === QUOTE) {
      const end = stringEnd(text, at);
      if (isKey) takeKey(text, open, at, end);
      else found(at);
      at = end - 1;
    } else if (character === BRACE || character === BRACKET) {
      if (open.length === MAX_NESTING) throw tooDeep(text, at);
      open.push({ isList: character === BRACKET, keys: new Set(), wanted: found(at), key: 0 });
      isKey = character === BRACE;
    } else if (character === BRACE + 2 || character === BRACKET + 2) {
      open.pop();
    } else if (character === COLON) {
      isKey = false;
    } else if (character === COMMA) {
      const top = open.at(-1)!;
      isKey = !top.isList;
      if (top.isList) top.key = (top.key as number) + 1;
    } else if (character > SPACE) {
      found(at);
      while (at + 1 < text.length && !',]} \t\r\n'.includes(text[at + 1]!)) at++;
    }
  }
}

const SPACE = 32;
const QUOTE = 34;
const COMMA = 44;
const COLON = 58;
const BRACKET = 91;
const BACKSLASH = 92;
const BRACE = 123;

function stringEnd(text: string, from: number): number {
  let at = from + 1;
  while (text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at + 1;
}

function takeKey(text: string, open: readonly Open[], from: number, to: number): void {
  const top = open.at(-1)!;
  const raw = text.slice(from, to);
  const key = raw.includes('\\') ? (JSON.parse(raw) as string) : raw.slice(1, -1);
  top.key = key;
  if (!top.keys.has(key)) {
    top.keys.add(key);
    return;
  }
  const path = open.map((one) => one.key);
  throw new TextFault({
    path,
    place: placeAt(linesOf(text), from),
    expected: 'each key once',
    received: `${quote(key)} again`,
  });
}

function tooDeep(text: string, offset: number): TextFault {
  const place = placeAt(linesOf(text), offset);
  return new TextFault({ place, expected: `at most ${MAX_NESTING} levels of nesting`, received: 'more' });
}
