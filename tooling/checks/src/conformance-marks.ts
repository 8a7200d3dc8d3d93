import { error, type Finding } from './workspace.js';

/** The marks of a conformance page: the first cells of its table rows. */
export function marksOf(page: string): string[] {
  return page.split('\n').flatMap((line) => /^\|\s*([A-Z]+\d+)\s*\|/.exec(line)?.[1] ?? []);
}

/** Every mark of the page stands at the beginning of some test's name, before a colon: `test('S3 X7: …')`. */
export function untestedMarks(file: string, page: string, tests: readonly string[]): Finding[] {
  const proven = new Set(
    tests.flatMap((text) =>
      [...text.matchAll(/['"`]((?:[A-Z]+\d+ ?)+):/g)].flatMap(([, marks]) => marks!.trim().split(' ')),
    ),
  );
  return marksOf(page)
    .filter((mark) => !proven.has(mark))
    .map((mark) => error(file, `no test is named for ${mark}`));
}
