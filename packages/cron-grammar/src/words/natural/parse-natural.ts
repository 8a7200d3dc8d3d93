import { parseCron } from '../../parse/parse-cron.js';
import { CronArgumentError, NaturalTextError } from '../../value/cron-errors.js';
import type { CronExpression } from '../../value/cron-expression.js';
import { formatCron } from '../../value/format-cron.js';
import { shownValue } from '../../value/shown-value.js';
import { describeCron } from '../describe-cron.js';
import { ENGLISH } from './english-phrases.js';
import { GERMAN } from './german-phrases.js';
import { type Grammar, type Phrase, type PhraseReader, Words } from './phrases.js';
import { type Phrases, resolvePhrases } from './resolve-phrases.js';

/** The longest text that is read. */
const MAX_CHARACTERS = 1_000;

const GRAMMARS: Readonly<Record<string, Grammar>> = { en: ENGLISH, de: GERMAN };

/** A text in words as an expression. */
export interface NaturalCron {
  /** The canonical POSIX text. */
  readonly text: string;
  readonly expression: CronExpression;
  /** What was understood, in the same language, as `describeCron` words it. */
  readonly reading: string;
}

/**
 * The expression that words such as "every weekday at 9" or "jeden zweiten Tag um 6:30" name. The grammar is closed and does not guess:
 * unknown words, words with two readings and times that cron cannot express throw a `NaturalTextError` that names the words. Case, commas,
 * full stops and the order of the phrases do not count.
 */
export function parseNatural(
  text: string,
  options?: {
    /** The language of the words; `en` when left out. */
    locale?: 'en' | 'de';
  },
): NaturalCron {
  const locale = options?.locale ?? 'en';
  const grammar = Object.hasOwn(GRAMMARS, locale) ? GRAMMARS[locale] : undefined;
  if (grammar === undefined) {
    throw new CronArgumentError(`locale must be 'en' or 'de', got ${shownValue(locale)}`, {
      field: 'locale',
      value: locale,
    });
  }
  if (typeof text !== 'string') throw new CronArgumentError('text must be a string', { field: 'text', value: text });
  const phrases = readPhrases(text, grammar);
  const resolved = resolvePhrases(phrases.said, grammar.reasons);
  if ('wrong' in resolved) throw new NaturalTextError(text, phrases.wordsOf(resolved.wrong), resolved.reason);
  const expression = parseCron(resolved.text);
  return { text: formatCron(expression), expression, reading: describeCron(expression, { locale }) };
}

function readPhrases(text: string, { phrases, spelling, reasons }: Grammar) {
  const written = text
    .slice(0, MAX_CHARACTERS)
    .split(/\s+/)
    .map((word) => word.replace(/^[.,]+|[.,]+$/g, ''))
    .filter((word) => word !== '');
  const words = new Words(written, spelling);
  const said: { -readonly [K in keyof Phrases]: Phrase } = {};
  const spoken = new Map<Phrase['kind'], readonly string[]>();
  const unknown: string[] = text.length > MAX_CHARACTERS ? [`${text.slice(0, 40)}…`] : [];
  while (words.place < written.length) {
    const start = words.place;
    const phrase = firstPhrase(words, phrases);
    if (phrase === null || said[phrase.kind] !== undefined) {
      // A word that begins no phrase, or a phrase that repeats another.
      const end = phrase === null ? start + 1 : words.place;
      unknown.push(...written.slice(start, end));
      words.place = end;
    } else {
      said[phrase.kind] = phrase;
      spoken.set(phrase.kind, written.slice(start, words.place));
    }
  }
  if (unknown.length > 0 || spoken.size === 0) {
    const nothing = spoken.size + unknown.length === 0;
    throw new NaturalTextError(text, withoutLeads(unknown), nothing ? reasons.noWords : reasons.notUnderstood);
  }
  return {
    said: said as Phrases,
    wordsOf: (kinds: readonly Phrase['kind'][]) => [...new Set(kinds)].flatMap((kind) => spoken.get(kind) ?? []),
  };
}

/** Words that lead a phrase are understood; what follows them is not. They count when nothing else is left. */
const LEADS = new Set(
  'every each on at from in between the of and alle jede jeden jedes um am an im von zwischen und'.split(' '),
);

function withoutLeads(unknown: readonly string[]): readonly string[] {
  const rest = unknown.filter((word) => !LEADS.has(word.toLowerCase()));
  return rest.length > 0 ? rest : unknown;
}

function firstPhrase(words: Words, phrases: readonly PhraseReader[]): Phrase | null {
  for (const reader of phrases) {
    const phrase = words.attempt(reader);
    if (phrase !== null) return phrase;
  }
  return null;
}
