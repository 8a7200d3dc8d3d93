import { dirname, join, normalize } from 'node:path';
import { error, type Finding } from './workspace.js';

/**
 * Relative links of Markdown pages lead somewhere: to a file or folder of the repository, and to a heading where they name one. `pages` are
 * the Markdown files by path, `exists` returns whether a path of the repository exists.
 */
export function links(pages: ReadonlyMap<string, string>, exists: (path: string) => boolean): Finding[] {
  return [...pages].flatMap(([page, text]) =>
    linksOf(text).flatMap(({ target, line }) => {
      const [path = '', heading] = target.split('#');
      const file = path === '' ? page : normalize(join(dirname(page), decodeURI(path))).replace(/\/$/, '');
      if (!exists(file)) return [error(page, `links to ${target}, which is not there`, line)];
      const there = pages.get(file);
      if (heading === undefined || there === undefined || headingsOf(there).includes(heading)) return [];
      return [error(page, `links to ${target}, which has no such heading`, line)];
    }),
  );
}

/** Links to other sites are not checked: the gate needs no network. */
function linksOf(text: string): { target: string; line: number }[] {
  return withoutCode(text)
    .split('\n')
    .flatMap((line, index) =>
      [...line.matchAll(/\]\(([^)\s]+)\)/g)]
        .map((match) => ({ target: match[1]!, line: index + 1 }))
        .filter(({ target }) => !/^[a-z]+:|^\//i.test(target)),
    );
}

/** The anchors that GitHub makes of a page's headings. */
function headingsOf(text: string): string[] {
  return [...withoutCode(text, '$2').matchAll(/^#{1,6} (.+)$/gm)].map((match) =>
    match[1]!
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

/** The page with the same lines, but nothing inside of code. */
function withoutCode(text: string, inline = ''): string {
  const fenced = text.replace(/^( *```)[\s\S]*?^ *```$/gm, (block) => block.replace(/[^\n]/g, ''));
  return fenced.replace(/(`+)(.+?)\1/g, inline);
}
