import { error, type Finding } from './workspace.js';

/**
 * The registry shows a README without the repository around it: its links are whole addresses, or anchors of the page itself. An
 * address within the project's repository names a file of it.
 */
export function readmeLinks(
  readmes: readonly { path: string; text: string }[],
  repositoryUrl: string,
  exists: (path: string) => boolean,
): Finding[] {
  const address = repositoryUrl.replace(/^git\+|\.git$/g, '');
  const files = new RegExp(`^${address.replaceAll('.', '\\.')}/(?:blob|raw)/main/([^#]+)`);
  return readmes.flatMap(({ path, text }) =>
    [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(({ 1: target, index }) => {
      const line = text.slice(0, index).split('\n').length;
      if (target!.startsWith('#')) return [];
      if (!/^https?:/.test(target!)) return [error(path, `"${target}" leads nowhere outside the repository`, line)];
      const file = files.exec(target!)?.[1];
      return file === undefined || exists(file)
        ? []
        : [error(path, `"${target}" names no file of the repository`, line)];
    }),
  );
}
