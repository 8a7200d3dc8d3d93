import type { Summary } from './summarize.js';

/** Every number of a summary under a dotted name, such as `locks.crane.utilisation`; null where there was nothing to measure. */
export function figuresOf(summary: Summary): [string, number | null][] {
  const figures: [string, number | null][] = [];
  const { locks, verbs, resources } = summary;
  walk({ locks, verbs, resources }, '');
  return figures;

  function walk(value: object, path: string): void {
    for (const [key, inner] of Object.entries(value)) {
      const name = path === '' ? key : `${path}.${key}`;
      if (typeof inner === 'number' || inner === null) figures.push([name, inner]);
      else if (!Array.isArray(inner)) walk(inner, name);
    }
  }
}
