import { CronArgumentError, MAX_CHARACTERS } from '../value/cron-errors.js';
import { runs } from '../value/format-cron.js';
import { quoted } from './fault.js';
import { findFields, newBounds } from './field-bounds.js';
import { type FieldSpec, POSIX_FIELDS } from './fields.js';
import { invalidExpression } from './invalid-expression.js';
import { refuseUnread } from './refuse-unread.js';

/**
 * Jenkins' `H` resolved: `hashed('H H * * *', 'backup')` is an ordinary expression that spreads jobs by their seed. It takes `H`, `H/15`,
 * `H(0-29)` and `H(0-29)/10` in any of five fields, alone or in a list; everything else stays as it is. `H` in the day is 1 to 28, `H/n`
 * begins at a hashed offset below n, and the values are listed, so that without other steps the text is POSIX. The same text and seed
 * always have the same result, on every machine. Throws `InvalidCronExpressionError`, and `CronArgumentError` for a seed that is not a
 * text.
 */
export function hashed(text: string, seed: string): string {
  const unread = refuseUnread(text);
  if (unread !== null) throw invalidExpression(String(text), unread);
  if (typeof seed !== 'string' || seed.length > MAX_CHARACTERS) {
    throw new CronArgumentError(`seed must be a text of at most ${MAX_CHARACTERS} characters, got ${typeof seed}`, {
      field: 'seed',
      value: seed,
    });
  }
  const bounds = newBounds();
  const count = findFields(text, bounds);
  if (count !== 5) {
    const reason = `must have exactly 5 fields (minute hour day month weekday), got ${count}`;
    throw invalidExpression(text, { field: 'expression', reason, start: text.length, end: text.length });
  }
  return POSIX_FIELDS.map((spec, index) =>
    hashField(text, bounds[2 * index]!, bounds[2 * index + 1]!, spec, seed),
  ).join(' ');
}

/** An `H` of its own, wherever it stands; the one in a name such as `THU` does not count. */
const USES_H = /^H|[^A-Za-z]H(?![A-Za-z])/;

function hashField(text: string, start: number, end: number, spec: FieldSpec, seed: string): string {
  const elements: string[] = [];
  for (let from = start; from <= end; ) {
    const comma = text.indexOf(',', from);
    const to = comma < 0 || comma > end ? end : comma;
    const element = text.slice(from, to);
    if (USES_H.test(element)) {
      const resolved = resolve(element, spec, hash(`${spec.name} ${seed}`));
      if (typeof resolved !== 'string') {
        const { reason } = resolved;
        throw invalidExpression(text, {
          field: spec.name,
          reason,
          start: from,
          end: to,
          fieldStart: start,
          fieldEnd: end,
        });
      }
      elements.push(resolved);
    } else {
      elements.push(element);
    }
    from = to + 1;
  }
  return elements.join(',');
}

/** The values of one `H`, or why it cannot be read. */
function resolve(element: string, spec: FieldSpec, random: number): string | { reason: string } {
  const parts = /^H(?:\(([0-9]{1,9})-([0-9]{1,9})\))?(?:\/([0-9]{1,9}))?$/.exec(element);
  if (parts === null) return { reason: `cannot read ${quoted(element)}; write H, H/15, H(0-29) or H(0-29)/10` };
  const first = parts[1] === undefined ? spec.min : Number(parts[1]);
  // Every month has 28 days.
  const last = parts[2] === undefined ? (spec.name === 'day' ? 28 : spec.max) : Number(parts[2]);
  if (first > last) return { reason: `has a range that runs backwards (${quoted(element)})` };
  if (first < spec.min || last > spec.max) {
    return { reason: `has ${quoted(element)}, which is out of range ${spec.min}-${spec.max}` };
  }
  const size = last - first + 1;
  if (parts[3] === undefined) return String(first + (random % size));
  const step = Number(parts[3]);
  if (step < 1 || step > size) return { reason: `needs a step from 1 to ${size} after "/", got ${quoted(parts[3])}` };
  const values: number[] = [];
  for (let value = first + (random % step); value <= last; value += step) values.push(value);
  return runs(values);
}

/** FNV-1a with a final mix, in 32 bits: a published hash that is the same everywhere. */
function hash(text: string): number {
  let state = 0x811c_9dc5;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    state = Math.imul(state ^ (code & 0xff), 0x0100_0193);
    state = Math.imul(state ^ (code >>> 8), 0x0100_0193);
  }
  state = Math.imul(state ^ (state >>> 16), 0x85eb_ca6b);
  state = Math.imul(state ^ (state >>> 13), 0xc2b2_ae35);
  return (state ^ (state >>> 16)) >>> 0;
}
