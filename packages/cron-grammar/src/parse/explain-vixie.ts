import {
  type Explainer,
  explainCharacters,
  explainQuartzToken,
  explainRange,
  explainSign,
  explainSpelling,
  explainText,
  type Found,
} from './explain-text.js';
import { type Fault, quoted } from './fault.js';
import { type FieldSpec, nameIndex, VIXIE_FIELDS } from './fields.js';
import { MACROS } from './macros.js';

const VIXIE: Explainer = { fields: VIXIE_FIELDS, macro: explainMacro, element: explainElement };

/** Why a text that `readVixie` refused is not in the grammar: the first failure in the order of `explainText`. */
export function explainVixie(text: string): Fault {
  return explainText(text, VIXIE);
}

function explainMacro(name: string): string {
  if (name.toLowerCase() === '@reboot') return 'names no time: @reboot runs once when the system starts';
  if (MACROS.has(name)) return `must hold the macro ${name} alone, without fields after it`;
  return `has an unknown macro (${quoted(name)}); known are ${[...MACROS.keys()].join(', ')}`;
}

function explainElement(element: string, spec: FieldSpec): Found | null {
  const strange = explainCharacters(element, allowed(spec));
  if (strange !== null) return strange;
  const slash = element.indexOf('/');
  const base = slash < 0 ? element : element.slice(0, slash);
  return explainBase(base, spec) ?? (slash < 0 ? null : explainStep(element.slice(slash + 1), slash + 1));
}

function explainStep(step: string, at: number): Found | null {
  if (step.includes('/')) return [`must not have two steps (${quoted(step)})`, at, step.length];
  return /^[0-9]+$/.test(step) && /[1-9]/.test(step)
    ? null
    : [`needs a step of 1 or more after "/", got ${quoted(step)}`, at, step.length];
}

function explainBase(base: string, spec: FieldSpec): Found | null {
  if (base === '*') return null;
  if (base === '') return ['has a step without a value before it; write "*" or a value before "/"', 0, 0];
  const star = base.indexOf('*');
  if (star >= 0) return [`must not combine "*" with anything but a step (${quoted(base)})`, star, 1];
  const unusual = explainQuartzTokenOfField(base, spec) ?? explainSign(base) ?? explainSpelling(base);
  if (unusual !== null) return [unusual[0], unusual[1] ?? 0, unusual[2] ?? base.length];
  return explainRangeOfValues(base, spec);
}

/** A name may look like a token: `mar` and `wed` are not tokens. */
function explainQuartzTokenOfField(base: string, spec: FieldSpec): Found | null {
  return spec.names !== null && nameIndex(base, spec.names) >= 0 ? null : explainQuartzToken(base);
}

function explainRangeOfValues(base: string, spec: FieldSpec): Found | null {
  const parts = base.split('-');
  if (parts.length > 2)
    return [`must not chain ranges (${quoted(base)}); a range is two values and one "-"`, 0, base.length];
  const [first, last] = parts as [string, string?];
  if (last === '') return [`has an open range (${quoted(base)}); write the last value`, base.length, 0];
  const outside =
    explainValue(first, 0, spec) ?? (last === undefined ? null : explainValue(last, first.length + 1, spec));
  if (outside !== null || last === undefined) return outside;
  const [from, to] = [numberOf(first, spec), numberOf(last, spec)];
  const sunday = spec.name === 'weekday' && to === 0 && !/^[0-9]/.test(last);
  return from > to && !sunday
    ? [`has a range that runs backwards (${quoted(base)}); a range goes from low to high`, 0, base.length]
    : null;
}

function explainValue(text: string, at: number, spec: FieldSpec): Found | null {
  if (/^[0-9]+$/.test(text)) return explainRange(text, at, spec);
  if (spec.names !== null && nameIndex(text, spec.names) >= 0) return null;
  return [`cannot read ${quoted(text)}; allowed are ${allowed(spec)}`, at, text.length];
}

function numberOf(text: string, spec: FieldSpec): number {
  return /^[0-9]/.test(text) ? Number(text) : spec.min + nameIndex(text, spec.names ?? []);
}

function allowed(spec: FieldSpec): string {
  const names = spec.names === null ? '' : ` or ${spec.names[0]}-${spec.names[spec.names.length - 1]}`;
  return `the numbers ${spec.min}-${spec.max}${names}, "*", ",", "-" and "/"`;
}
