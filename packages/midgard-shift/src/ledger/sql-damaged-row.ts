import { HoraeError } from '@horae/clock-store';
import type { z } from 'zod';
import { MidgardInputError } from '../state/midgard-input-error.js';

/** Where a value stands in the database. */
export interface RowPlace {
  readonly table: string;
  /** The primary key of the row. */
  readonly row: string | number;
}

/** A row of the ledger holds what this package never writes. Nothing is changed; the chain can be read again once the row is repaired. */
export class LedgerDamagedError extends HoraeError<RowPlace & { readonly field: string; readonly value: unknown }> {
  readonly code = 'ledger-damaged';
}

const MAX_SHOWN = 80;

/** The error of one field of a row: `field` must be `wanted`, and is `value`. */
function damagedField(
  place: RowPlace,
  field: string,
  wanted: string,
  value: unknown,
  cause?: unknown,
): LedgerDamagedError {
  const shown = String(typeof value === 'string' ? JSON.stringify(value) : value).slice(0, MAX_SHOWN);
  return damaged(place, field, value, `${field} must be ${wanted}, got ${shown}`, cause);
}

function damaged(
  { table, row }: RowPlace,
  field: string,
  value: unknown,
  problem: string,
  cause: unknown,
): LedgerDamagedError {
  const remedy = 'repair the row or restore the database from a backup';
  return new LedgerDamagedError(`${table}, row ${row}: ${problem}; ${remedy}`, { table, row, field, value }, { cause });
}

/** A row that fits its schema; throws `LedgerDamagedError` with the first field that does not. */
export function checkedRow<T>(schema: z.ZodType<T>, row: unknown, place: RowPlace): T {
  if (row === undefined) throw damagedField(place, 'id', 'in the table', 'no such row');
  const read = schema.safeParse(row);
  if (read.success) return read.data;
  const issue = read.error.issues[0]!;
  const field = issue.path.join('.');
  throw damagedField(place, field, issue.message, (row as Record<string, unknown>)[field], read.error);
}

/** The value of a column of JSON. */
export function checkedJson(text: string, field: string, place: RowPlace): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw damagedField(place, field, 'JSON', text, cause);
  }
}

/** Runs a check of the state that rows were made into; a refusal is attributed to the row that `placeOf` names for the field. */
export function checkedAs(check: () => void, placeOf: (field: string) => RowPlace): void {
  try {
    check();
  } catch (cause) {
    if (!(cause instanceof MidgardInputError)) throw cause;
    const { field, value } = cause.details;
    const name = field.replace(/^state\./, '');
    throw damaged(placeOf(name), name, value, cause.message, cause);
  }
}
