export type ThemeChoice = 'system' | 'light' | 'dark';

const KEY = 'horae-theme';
const system = matchMedia('(prefers-color-scheme: dark)');

export function themeChoice(): ThemeChoice {
  const kept = localStorage.getItem(KEY);
  return kept === 'light' || kept === 'dark' ? kept : 'system';
}

/** Decides the theme from the user's choice or the system's, and follows the system when it changes. */
export function applyTheme(choice: ThemeChoice = themeChoice()): void {
  localStorage.setItem(KEY, choice);
  const isDark = choice === 'dark' || (choice === 'system' && system.matches);
  document.documentElement.dataset.theme = isDark ? 'dark' : 'light';
  dispatchEvent(new Event('horae-theme'));
}

system.addEventListener('change', () => applyTheme());
