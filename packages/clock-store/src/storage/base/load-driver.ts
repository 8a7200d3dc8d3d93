import { createRequire } from 'node:module';
import { DriverMissingError, DriverVersionError } from './storage-errors.js';

/** Major versions of a driver that are known to work: from the first, below the second. */
export type MajorVersions = readonly [from: number, below: number];

/** Loads kysely and then a driver. Throws `DriverMissingError`, with the one command that installs both, when one is missing. */
export async function loadDriver<Module>(url: string, driver: string, load: () => Promise<Module>): Promise<Module> {
  const install = `npm install kysely ${driver}`;
  await loaded(url, 'kysely', install, () => import('kysely'));
  return loaded(url, driver, install, load);
}

/**
 * Refuses a version of a driver that is not known to work, before it is loaded: a native module built for another Node ends the process
 * and throws nothing. A version that cannot be found out passes.
 */
export function checkDriverVersion(
  url: string,
  packageName: string,
  [from, below]: MajorVersions,
  version = installedVersion(packageName),
): void {
  const major = Number.parseInt(version ?? '', 10);
  if (Number.isNaN(major) || (major >= from && major < below)) return;
  const install = `npm install ${packageName}@${below - 1}`;
  throw new DriverVersionError(
    `${url} needs ${packageName} ${from} to ${below - 1}, and ${version} is installed: run \`${install}\``,
    { url, packageName, version: version ?? '', install },
  );
}

function installedVersion(packageName: string): string | undefined {
  try {
    return createRequire(import.meta.url)(`${packageName}/package.json`).version;
  } catch {
    return undefined;
  }
}

/** Loads an optional package, or throws with the command that installs it. */
export async function loaded<Module>(
  url: string,
  packageName: string,
  install: string,
  load: () => Promise<Module>,
): Promise<Module> {
  try {
    return await load();
  } catch (cause) {
    if (!isNotFound(cause)) throw cause;
    throw new DriverMissingError(
      `${url} needs the package ${packageName}, which is not installed: run \`${install}\``,
      { url, packageName, install },
      { cause },
    );
  }
}

function isNotFound(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return code === 'ERR_MODULE_NOT_FOUND' || code === 'MODULE_NOT_FOUND';
}
