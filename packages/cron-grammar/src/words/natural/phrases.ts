/** The words of a text in small letters without commas and full stops, and a place among them. */
export class Words {
  readonly small: readonly string[];
  place = 0;

  constructor(
    readonly written: readonly string[],
    spelling: (word: string) => string,
  ) {
    this.small = written.map((word) => spelling(word.toLowerCase()));
  }

  /** The word `ahead` of the place, or an empty text past the end. */
  peek(ahead = 0): string {
    return this.small[this.place + ahead] ?? '';
  }

  /** Takes these words if they come next. */
  take(...wanted: string[]): boolean {
    if (!wanted.every((word, index) => this.peek(index) === word)) return false;
    this.place += wanted.length;
    return true;
  }

  /** Takes one of these words if it comes next. */
  takeOne(...wanted: string[]): boolean {
    if (!wanted.includes(this.peek())) return false;
    this.place++;
    return true;
  }

  /** Takes the next word if `reader` recognises it; null, and nothing taken, otherwise. */
  read<T>(reader: (word: string) => T | null): T | null {
    const value = this.place < this.small.length ? reader(this.peek()) : null;
    if (value !== null) this.place++;
    return value;
  }

  /** The value that a phrase reads, or null with the place unchanged. */
  attempt<T>(phrase: (words: Words) => T | null): T | null {
    const start = this.place;
    const value = phrase(this);
    if (value === null) this.place = start;
    return value;
  }

  /** One value and any number more, each after a joiner; null when there is none. */
  list<T>(item: (words: Words) => T | null, ...joiners: string[]): T[] | null {
    const first = this.attempt(item);
    if (first === null) return null;
    const all = [first];
    for (;;) {
      const next = this.attempt((words) => {
        words.takeOne(...joiners);
        return words.attempt(item);
      });
      if (next === null) return all;
      all.push(next);
    }
  }
}

export type EveryUnit = 'minute' | 'hour' | 'day' | 'month' | 'year';

/** The meaning of one phrase. */
export type Phrase =
  | { readonly kind: 'every'; readonly unit: EveryUnit; readonly step: number }
  | { readonly kind: 'times'; readonly times: readonly ClockTime[] }
  | { readonly kind: 'between'; readonly from: number; readonly to: number }
  | { readonly kind: 'weekdays'; readonly weekdays: readonly number[] }
  | { readonly kind: 'days'; readonly days: readonly number[] }
  | { readonly kind: 'date'; readonly day: number; readonly month: number }
  | { readonly kind: 'months'; readonly months: readonly number[] };

export interface ClockTime {
  readonly hour: number;
  readonly minute: number;
}

/** Reads the phrase that comes next, or returns null. */
export type PhraseReader = (words: Words) => Phrase | null;

/** Why words are refused, in one language; each ends a message that begins with the words. */
export interface Reasons {
  readonly notUnderstood: string;
  readonly noWords: string;
  readonly hourOnly: string;
  readonly clash: string;
  readonly unevenTimes: string;
  readonly unevenSteps: (step: number, whole: number, unit: 'minute' | 'hour' | 'month') => string;
  readonly tooManyDays: string;
}

/** One language: its phrases, the more particular first, how it spells a word in small letters, and its reasons. */
export interface Grammar {
  readonly phrases: readonly PhraseReader[];
  readonly spelling: (word: string) => string;
  readonly reasons: Reasons;
}

/** A whole number from `least` to `most` in digits. */
export function digits(word: string, least: number, most: number): number | null {
  if (!/^[0-9]{1,4}$/.test(word)) return null;
  const value = Number(word);
  return value >= least && value <= most ? value : null;
}

/** `9:30`, `09:30` */
export function hourAndMinute(word: string): ClockTime | null {
  const parts = /^([0-9]{1,2}):([0-9]{2})$/.exec(word);
  if (parts === null) return null;
  const [hour, minute] = [Number(parts[1]), Number(parts[2])];
  return hour < 24 && minute < 60 ? { hour, minute } : null;
}

/** The weekdays from one to another, over Sunday if need be. */
export function weekdayRange(from: number, to: number): number[] {
  const length = ((to - from + 7) % 7) + 1;
  return Array.from({ length }, (_, index) => (from + index) % 7);
}
