import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { entryName, subpathsOf } from '@horae-tooling/tsup/entry-points';
import { pack } from './packed-tarball.js';
import { root, type WorkspacePackage } from './workspace.js';

/** Where the tarball of each package lies, by name. */
export type Tarballs = ReadonlyMap<string, string>;

/** What a README installs: the words of its first `npm install` that names the package, or the package alone. */
export function wordsToInstall(readme: string, name: string): string[] {
  const lines = [...readme.matchAll(/npm install ([^`#\n]+)/g)].map((match) => match[1]!.trim().split(/\s+/));
  return lines.find((words) => words.includes(name)) ?? [name];
}

/** Packs every one of `packages` into a folder of its own below `scratch`. */
export function packAll(packages: readonly WorkspacePackage[], scratch: string): Tarballs {
  return new Map(
    packages.map(({ folder, manifest }) => {
      const place = join(scratch, 'tarballs', folder);
      mkdirSync(place, { recursive: true });
      return [manifest.name, pack(join(root, folder), place)];
    }),
  );
}

/**
 * A project into which `names` are installed: packages of the workspace from their tarballs, wherever they are needed, and everything else
 * in the version that the workspace itself has, or that the name contains (`jest@30.0.0`). Without a `manifest` of its own it is an empty
 * one.
 */
export function installInto(
  folder: string,
  names: readonly string[],
  tarballs: Tarballs,
  manifest: object = { name: 'empty-project', private: true, type: 'module' },
): void {
  mkdirSync(folder, { recursive: true });
  const dependencies = Object.fromEntries(names.map((name) => versionOf(name, tarballs)));
  const overrides = [...tarballs].map(([name, path]) => `  ${JSON.stringify(name)}: ${JSON.stringify(`file:${path}`)}`);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...manifest, dependencies, devDependencies: {} }));
  writeFileSync(
    join(folder, 'pnpm-workspace.yaml'),
    `packages: []\nautoInstallPeers: false\nonlyBuiltDependencies: [better-sqlite3]\noverrides:\n${overrides.join('\n')}\n`,
  );
  execFileSync('pnpm', ['install', '--prefer-offline', '--no-frozen-lockfile'], {
    cwd: folder,
    stdio: 'pipe',
    encoding: 'utf8',
    shell: process.platform === 'win32',
  });
}

function versionOf(name: string, tarballs: Tarballs): [name: string, version: string] {
  const tarball = tarballs.get(name);
  if (tarball !== undefined) return [name, `file:${tarball}`];
  const named = /^(.+)@([^@]+)$/.exec(name);
  if (named !== null) return [named[1]!, named[2]!];
  // Read from disk: not every exports map lists the manifest.
  const manifest = ['packages/horae', 'tooling/guides']
    .map((folder) => join(root, folder, 'node_modules', name, 'package.json'))
    .find((path) => existsSync(path));
  if (manifest === undefined) throw new Error(`The workspace does not have ${name}, so a trial cannot install it`);
  return [name, (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version];
}

/** The addresses under which a package can be imported. */
export function specifiersOf({ manifest }: WorkspacePackage): string[] {
  return subpathsOf(manifest).map((subpath) => `${manifest.name}${subpath.slice(1)}`);
}

/** The names that each address of a package exports in the workspace. */
export async function namesOf({ folder, manifest }: WorkspacePackage): Promise<Record<string, string[]>> {
  const found: Record<string, string[]> = {};
  for (const subpath of subpathsOf(manifest)) {
    const module = await import(pathToFileURL(join(root, folder, 'dist', `${entryName(subpath)}.js`)).href);
    found[`${manifest.name}${subpath.slice(1)}`] = Object.keys(module).sort();
  }
  return found;
}

/** Prints, as JSON, the names that each address exports: by `import`, or by `require`. */
export function listingProgram(specifiers: readonly string[], by: 'import' | 'require'): string {
  const load = by === 'import' ? 'await import(name)' : 'require(name)';
  const body = `for (const name of ${JSON.stringify(specifiers)}) found[name] = Object.keys(${load}).sort();`;
  return `const found = {};\n(async () => {\n${body}\nconsole.log(JSON.stringify(found));\n})();\n`;
}

/** A TypeScript file that uses every name of every address. */
export function usingProgram(names: Readonly<Record<string, readonly string[]>>): string {
  return Object.entries(names)
    .filter(([, list]) => list.length > 0)
    .map(([specifier, list], module) => {
      const imports = list.map((name, i) => `${name} as name${module}_${i}`).join(', ');
      const uses = list.map((_, i) => `name${module}_${i}`).join(', ');
      return `import { ${imports} } from '${specifier}';\nexport const uses${module}: readonly unknown[] = [${uses}];\n`;
    })
    .join('');
}
