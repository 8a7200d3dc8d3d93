import { importsOf, resolveRelative } from './imports.js';
import { error, type Finding, isTest, type WorkspacePackage } from './workspace.js';

type Graph = ReadonlyMap<string, readonly string[]>;

/** No file reaches itself through imports, types included, and no package reaches itself through its dependencies. */
export function noCycles(packages: readonly WorkspacePackage[]): Finding[] {
  const between: Graph = new Map(
    packages.map(({ manifest }) => [
      manifest.name,
      Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies, ...manifest.devDependencies }),
    ]),
  );
  const findings = cyclesOf(between).map((cycle) =>
    error('package.json', `packages depend on each other: ${cycle.join(' -> ')}`),
  );
  for (const pkg of packages) {
    const within: Graph = new Map(
      pkg.sources
        .filter(({ path }) => !isTest(path))
        .map((file) => [
          file.path,
          importsOf(file)
            .filter(({ specifier }) => specifier.startsWith('.'))
            .map(({ specifier }) => resolveRelative(file.path, specifier)),
        ]),
    );
    for (const cycle of cyclesOf(within)) {
      findings.push(error(`${pkg.folder}/${cycle[0]}`, `files import each other: ${cycle.join(' -> ')}`));
    }
  }
  return findings;
}

/** One cycle per node that closes one, found depth first; an acyclic graph has none. */
function cyclesOf(graph: Graph): string[][] {
  const done = new Set<string>();
  const cycles: string[][] = [];
  const visit = (node: string, path: readonly string[]): void => {
    const seenAt = path.indexOf(node);
    if (seenAt >= 0) {
      cycles.push([...path.slice(seenAt), node]);
      return;
    }
    if (done.has(node)) return;
    for (const next of graph.get(node) ?? []) if (graph.has(next)) visit(next, [...path, node]);
    done.add(node);
  };
  for (const node of graph.keys()) visit(node, []);
  return cycles;
}
