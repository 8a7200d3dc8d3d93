import { entryFields, entryName, nodeEntryName, subpathsForNode, subpathsOf } from '@horae-tooling/tsup/entry-points';
import { error, type Finding, type WorkspacePackage } from './workspace.js';

/**
 * The fields with file locations follow from the subpaths, every subpath has a source file and is built as ESM and as CommonJS with types
 * for both, and every built entry is reachable: `built` lists the files of the package's `dist`.
 */
export function exportsMap(
  packages: readonly WorkspacePackage[],
  built: (folder: string) => readonly string[],
): Finding[] {
  return packages
    .filter(({ manifest }) => manifest.private !== true)
    .flatMap((pkg) => [...fieldFindings(pkg), ...buildFindings(pkg, built(pkg.folder))]);
}

function fieldFindings({ folder, manifest }: WorkspacePackage): Finding[] {
  return Object.entries(entryFields(manifest))
    .filter(([field, wanted]) => JSON.stringify(manifest[field]) !== JSON.stringify(wanted))
    .map(([field]) =>
      error(`${folder}/package.json`, `"${field}" does not follow from the subpaths: run "pnpm manifests"`),
    );
}

function buildFindings(pkg: WorkspacePackage, dist: readonly string[]): Finding[] {
  const file = `${pkg.folder}/package.json`;
  const findings: Finding[] = [];
  const entries = new Set<string>();
  for (const subpath of subpathsOf(pkg.manifest)) {
    const name = entryName(subpath);
    entries.add(name);
    if (!pkg.files.includes(`src/${name}.ts`) && !pkg.files.includes(`src/${name}/index.ts`))
      findings.push(error(file, `exports["${subpath}"] has no source src/${name}.ts or src/${name}/index.ts`));
    for (const path of [`${name}.js`, `${name}.d.ts`, `${name}.cjs`, `${name}.d.cts`]) {
      if (!dist.includes(path))
        findings.push(error(file, `exports["${subpath}"] is not built: dist/${path} is missing`));
    }
  }
  const forNode = subpathsForNode(pkg.manifest).flatMap((subpath) => {
    const name = nodeEntryName(subpath);
    return [`${name}.js`, `${name}.cjs`];
  });
  for (const path of forNode.filter((path) => !dist.includes(path)))
    findings.push(error(file, `the build for Node is missing: dist/${path}`));
  // Shared chunks carry no declarations of their own to import, so a .js with a .d.ts of its name is an entry.
  const stray = dist
    .filter((path) => path.endsWith('.js') && dist.includes(path.replace(/\.js$/, '.d.ts')))
    .map((path) => path.slice(0, -'.js'.length))
    .filter((name) => !entries.has(name));
  for (const name of stray) findings.push(error(file, `dist/${name}.js is built but not in the exports map`));
  return findings;
}
