import { error, type Finding } from './workspace.js';

/**
 * The registry shows a README without the repository around it: its links are whole addresses, or anchors of the page itself. An
 * address within the project's repository names a file of it, and one of a file that this repository has names this repository: after a
 * move, links to the old place would lead to an old page, or nowhere.
 */
export function readmeLinks(
  readmes: readonly { path: string; text: string }[],
  repositoryUrl: string,
  exists: (path: string) => boolean,
): Finding[] {
  const address = repositoryUrl.replace(/^git\+|\.git$/g, '');
  return readmes.flatMap(({ path, text }) =>
    [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(({ 1: target, index }) => {
      const problem = problemOf(target!, address, exists);
      return problem === null ? [] : [error(path, `"${target}" ${problem}`, text.slice(0, index).split('\n').length)];
    }),
  );
}

function problemOf(target: string, address: string, exists: (path: string) => boolean): string | null {
  if (target.startsWith('#')) return null;
  if (!/^https?:/.test(target)) return 'leads nowhere outside the repository';
  const file = /\/(?:blob|raw|tree)\/[^/]+\/([^#?]+)/.exec(target)?.[1];
  if (`${target}/`.startsWith(`${address}/`))
    return file === undefined || exists(file) ? null : 'names no file of the repository';
  // Other projects have a README too; an address with the name of this repository, or in its folders, belongs to this one.
  const [, name] = /^https?:\/\/[^/]+\/[^/]+\/([^/#?]+)/.exec(target) ?? [];
  const isOurs = name === address.split('/').at(-1) || (/^(?:docs|packages)\//.test(file ?? '') && exists(file!));
  return isOurs ? `does not lead to ${address}, where the repository is` : null;
}
