import type { Clock } from '@horae/clock-store';
import { type SqlToken, sqlTokens } from './sql-tokens.js';

/** A row of an INSERT: its values by column name, or why they cannot be determined. */
export interface InsertedRow {
  readonly table: string;
  readonly line: number;
  readonly values: Readonly<Record<string, unknown>> | null;
  readonly problem: string | null;
}

/** How much is read before other work of the process may run: some milliseconds' worth. */
const TOKENS_PER_TURN = 20_000;
const ROWS_PER_TURN = 1_000;

/** Reads every INSERT of a MySQL dump, in order; skips all other statements. Throws `SqlTextError` for an incomplete text. */
export async function* readInserts(text: string, clock: Clock): AsyncGenerator<InsertedRow> {
  let count = 0;
  for await (const statement of statements(text, clock)) {
    for (const row of insertedRows(statement)) {
      if (++count % ROWS_PER_TURN === 0) await clock.sleepFor(0);
      yield row;
    }
  }
}

async function* statements(text: string, clock: Clock): AsyncGenerator<readonly SqlToken[]> {
  let statement: SqlToken[] = [];
  let count = 0;
  for (const token of sqlTokens(text)) {
    if (++count % TOKENS_PER_TURN === 0) await clock.sleepFor(0);
    if (isSign(token, ';')) {
      yield statement;
      statement = [];
    } else statement.push(token);
  }
  yield statement;
}

function* insertedRows(tokens: readonly SqlToken[]): Generator<InsertedRow> {
  const into = tokens.findIndex((token) => isWord(token, 'INTO'));
  if (into < 1 || into > 4 || !(isWord(tokens[0], 'INSERT') || isWord(tokens[0], 'REPLACE'))) return;
  let at = into + 1;
  // A name may be qualified by its database: the last part counts.
  while (isSign(tokens[at + 1], '.')) at += 2;
  const table = nameOf(tokens[at]);
  if (table === null) return;
  at += 1;
  let columns: string[] | null = null;
  if (isSign(tokens[at], '(')) {
    const end = closing(tokens, at);
    columns = tokens.slice(at + 1, end).flatMap((token) => nameOf(token) ?? []);
    at = end + 1;
  }
  if (!isWord(tokens[at], 'VALUES') && !isWord(tokens[at], 'VALUE')) return;
  at += 1;
  while (isSign(tokens[at], '(')) {
    const end = closing(tokens, at);
    yield rowOf(table, columns, tokens[at]!.line, tokens.slice(at + 1, end));
    at = end + 1;
    if (isSign(tokens[at], ',')) at += 1;
  }
}

function rowOf(
  table: string,
  columns: readonly string[] | null,
  line: number,
  tokens: readonly SqlToken[],
): InsertedRow {
  const broken = (problem: string): InsertedRow => ({ table, line, values: null, problem: `line ${line}: ${problem}` });
  if (columns === null) return broken('the INSERT names no columns; dump with --complete-insert');
  const values = splitValues(tokens);
  if (values.length !== columns.length) return broken(`${values.length} values for ${columns.length} columns`);
  return {
    table,
    line,
    values: Object.fromEntries(columns.map((column, index) => [column, knownValue(values[index]!)])),
    problem: null,
  };
}

/** The tokens of each value: commas inside the brackets of a function do not separate values. */
function splitValues(tokens: readonly SqlToken[]): SqlToken[][] {
  const values: SqlToken[][] = [[]];
  let depth = 0;
  for (const token of tokens) {
    if (isSign(token, '(')) depth += 1;
    if (isSign(token, ')')) depth -= 1;
    if (depth === 0 && isSign(token, ',')) values.push([]);
    else values.at(-1)!.push(token);
  }
  return values;
}

/** A string or a number; null for NULL and for expressions that only a database could evaluate, such as NOW(). */
function knownValue(tokens: readonly SqlToken[]): unknown {
  if (tokens.length === 1) return simpleValue(tokens[0]!);
  const [first, second] = tokens;
  // A string may be prefixed by its character set: _utf8mb4'…'.
  const isLed = tokens.length === 2 && first?.kind === 'name' && first.text.startsWith('_');
  return isLed && second?.kind === 'value' ? second.value : null;
}

function simpleValue(token: SqlToken): unknown {
  if (token.kind === 'value') return token.value;
  if (isWord(token, 'TRUE')) return 1;
  return isWord(token, 'FALSE') ? 0 : null;
}

function closing(tokens: readonly SqlToken[], from: number): number {
  let depth = 0;
  for (let at = from; at < tokens.length; at++) {
    if (isSign(tokens[at], '(')) depth += 1;
    else if (isSign(tokens[at], ')')) depth -= 1;
    if (depth === 0) return at;
  }
  return tokens.length;
}

function nameOf(token: SqlToken | undefined): string | null {
  if (token?.kind === 'name') return token.text;
  return token?.kind === 'value' && typeof token.value === 'string' ? token.value : null;
}

function isWord(token: SqlToken | undefined, word: string): boolean {
  return token?.kind === 'name' && token.text.toUpperCase() === word;
}

function isSign(token: SqlToken | undefined, sign: string): boolean {
  return token?.kind === 'sign' && token.text === sign;
}
