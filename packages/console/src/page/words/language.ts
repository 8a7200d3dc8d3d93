import { de } from './de.js';
import { en, type Words } from './en.js';
import { createStore } from './store.js';
import { zh } from './zh.js';

export const languages = { en: 'English', de: 'Deutsch', zh: '中文' } as const;
export type Language = keyof typeof languages;

const all: Readonly<Record<Language, Words>> = { en, de, zh };
const KEY = 'horae-console-language';

const isLanguage = (text: string | null): text is Language => text !== null && Object.hasOwn(all, text);

function firstLanguage(): Language {
  const kept = localStorage.getItem(KEY);
  if (isLanguage(kept)) return kept;
  const wanted = navigator.languages.map((name) => name.slice(0, 2)).find((name) => isLanguage(name));
  return (wanted as Language | undefined) ?? 'en';
}

const store = createStore<Language>(firstLanguage());
document.documentElement.lang = store.get();

export function setLanguage(language: Language): void {
  localStorage.setItem(KEY, language);
  document.documentElement.lang = language;
  store.set(language);
}

export const currentLanguage = store.get;
export const useLanguage = store.use;

/** The texts in the person's language. */
export function useWords(): Words {
  return all[store.use()];
}

/** The same outside of a component. */
export function words(): Words {
  return all[store.get()];
}
