import { error, type Finding } from './workspace.js';

/** Things that belong to a machine and not to the project. Written so that this file does not match itself. */
const forbidden: readonly { pattern: RegExp; what: string; only?: RegExp }[] = [
  { pattern: /(?<![\w.])\/(?:w[o]rk|f[a]rm|r[o]ot)\//, what: 'a path of one machine' },
  { pattern: /https?:\/\/[a-z0-9.-]*(?:registr[y]|mirr[o]r)[a-z0-9.-]*\//, what: 'a registry host' },
  { pattern: /^[ \t]*resolution:.*tarb[a]ll:/m, what: 'a download address', only: /^pnpm-lock\.yaml$/ },
  {
    pattern: /(?:it|test|describe)\.(?:sk[i]p|tod[o]|onl[y])\(/,
    what: 'a test that does not run (skip with a reason inside the test)',
    only: /\.test\.ts$/,
  },
  { pattern: /expect\(tr[u]e\)\.to(?:Be|Equal)\(tr[u]e\)/, what: 'a test that asserts nothing', only: /\.test\.ts$/ },
];

/** The repository speaks of the project alone, and every test in it runs. */
export function projectAlone(files: readonly { path: string; text: string }[]): Finding[] {
  return files.flatMap(({ path, text }) =>
    forbidden
      .filter(({ only }) => only === undefined || only.test(path))
      .flatMap(({ pattern, what }) => {
        const match = pattern.exec(text);
        return match === null
          ? []
          : [error(path, `${what}: ${match[0].trim()}`, text.slice(0, match.index).split('\n').length)];
      }),
  );
}
