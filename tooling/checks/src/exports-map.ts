import { error, type Finding, type WorkspacePackage } from './workspace.js';

/**
 * Every subpath is `{ types, default }` under `dist`, has a source file, and every built entry is reachable: `built` lists the
 * files of the package's `dist`.
 */
export function exportsMap(
  packages: readonly WorkspacePackage[],
  built: (folder: string) => readonly string[],
): Finding[] {
  return packages
    .filter(({ manifest }) => manifest.private !== true)
    .flatMap((pkg) => {
      const file = `${pkg.folder}/package.json`;
      const dist = built(pkg.folder);
      const findings: Finding[] = [];
      const entries = new Set<string>();
      for (const [subpath, target] of Object.entries(pkg.manifest.exports ?? {})) {
        if (subpath === './package.json') continue;
        const name = subpath === '.' ? 'index' : subpath.slice(2);
        const expected = { types: `./dist/${name}.d.ts`, default: `./dist/${name}.js` };
        if (JSON.stringify(target) !== JSON.stringify(expected)) {
          findings.push(error(file, `exports["${subpath}"] must be ${JSON.stringify(expected)}`));
          continue;
        }
        entries.add(name);
        if (!pkg.files.includes(`src/${name}.ts`) && !pkg.files.includes(`src/${name}/index.ts`)) {
          findings.push(error(file, `exports["${subpath}"] has no source src/${name}.ts or src/${name}/index.ts`));
        }
        for (const path of [`${name}.js`, `${name}.d.ts`]) {
          if (!dist.includes(path))
            findings.push(error(file, `exports["${subpath}"] is not built: dist/${path} is missing`));
        }
      }
      const commands = Object.values(pkg.manifest.bin ?? {}).map((path) => path.replace(/^\.\/dist\/|\.js$/g, ''));
      // Shared chunks carry no declarations of their own to import, so a .js with a .d.ts of its name is an entry.
      const stray = dist
        .filter((path) => path.endsWith('.js') && dist.includes(path.replace(/\.js$/, '.d.ts')))
        .map((path) => path.slice(0, -'.js'.length))
        .filter((name) => !entries.has(name) && !commands.includes(name));
      for (const name of stray) findings.push(error(file, `dist/${name}.js is built but not in the exports map`));
      return findings;
    });
}
