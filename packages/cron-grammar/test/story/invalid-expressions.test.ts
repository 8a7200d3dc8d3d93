import { readFileSync } from 'node:fs';
import { isHoraeError } from '@horae/clock-store';
import { expect, test } from 'vitest';
import { FieldParseError, InvalidCronExpressionError, parseCron, tryParseCron } from '../../src/index.js';

interface Row {
  readonly class: string;
  readonly text: string;
  readonly field: string;
  readonly column: number;
  readonly length: number;
  readonly reason: string;
  readonly suggestion: string | null;
}

/** One refused text a line: its class, and what the error says about it. */
const rows = readFileSync(new URL('invalid-expressions.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Row);

test('the table has at least 200 texts of all classes', () => {
  expect(new Set(rows.map((row) => row.text)).size).toBeGreaterThanOrEqual(200);
  expect(new Set(rows.map((row) => row.class)).size).toBe(15);
});

test.each(rows)('$class: $text', (row) => {
  const result = tryParseCron(row.text);
  if (result.ok) expect.fail(`accepted as ${result.value.text}`);
  const { error } = result;
  expect(error).toBeInstanceOf(InvalidCronExpressionError);
  expect(isHoraeError(error)).toBe(true);
  expect(error.message).toBe(`Invalid cron expression "${row.text}": ${row.field} field ${row.reason}`);
  expect(error.details).toEqual({
    expression: row.text,
    field: row.field,
    reason: row.reason,
    column: row.column,
    length: row.length,
    ...(row.suggestion === null ? {} : { suggestion: row.suggestion }),
  });
  expect(error.cause).toBeInstanceOf(FieldParseError);
  const cause = error.cause as FieldParseError;
  expect(cause.details.fieldName).toBe(row.field);
  expect(row.text).toContain(cause.details.fieldValue);
  if (row.suggestion !== null) expect(() => parseCron(row.suggestion as string)).not.toThrow();
  expect(() => parseCron(row.text)).toThrow(InvalidCronExpressionError);
});
