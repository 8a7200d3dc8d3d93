import { type KyselyPlugin, WithSchemaPlugin } from 'kysely';

/** Adds the prefix to the names of tables. */
export interface TablePrefix {
  /** For the query builder. */
  readonly plugins: KyselyPlugin[];
  /** The text of a statement with the prefix in place; the statement as it is when there is none. */
  rewrite(text: string): string;
}

/** Stands for the prefix between the builder and the text: kysely puts a schema before a table wherever one is named. */
const MARK = 'horae-prefix';
const MARKED = new RegExp(`(["\`])${MARK}\\1\\.\\1(?!sqlite_|pg_)`, 'g');
const MARKED_SYSTEM = new RegExp(`(["\`])${MARK}\\1\\.`, 'g');
/** Names that the builder writes without a schema: a new index, and the new name of a table. */
const NEW_INDEX = /^(\s*create\s+(?:unique\s+)?index\s+(?:if\s+not\s+exists\s+)?["`])/i;
const NEW_NAME = /^(\s*alter\s+table\s.*\srename\s+to\s+["`])/is;
/** Horae's tables in statements written by hand, in quotes or not, and in texts that look up a table by its name. */
const OWN = /(?<![A-Za-z0-9_$-])horae_(?=[a-z0-9_])/g;

const MAX_CACHED = 2_000;

/**
 * Puts `prefix` before the name of every table that the query builder names, and in SQL written by hand before every name that begins
 * with `horae_`, those of indexes included. Parameters are never touched: a name that a statement looks up has to be part of its text
 * (`sql.lit`).
 */
export function tablePrefix(prefix: string): TablePrefix {
  if (prefix === '') return { plugins: [], rewrite: (text) => text };
  const rewritten = new Map<string, string>();
  return {
    plugins: [new WithSchemaPlugin(MARK)],
    rewrite(text) {
      const known = rewritten.get(text);
      if (known !== undefined) return known;
      // Programs repeat a few statements; one that is built anew each time must not fill the memory.
      if (rewritten.size >= MAX_CACHED) rewritten.clear();
      const made = withPrefix(text, prefix);
      rewritten.set(text, made);
      return made;
    },
  };
}

function withPrefix(text: string, prefix: string): string {
  return text
    .replace(MARKED, `$1${prefix}`)
    .replace(MARKED_SYSTEM, '')
    .replace(NEW_INDEX, `$1${prefix}`)
    .replace(NEW_NAME, `$1${prefix}`)
    .replace(OWN, `${prefix}horae_`);
}
