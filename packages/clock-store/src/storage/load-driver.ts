import { DriverMissingError } from './storage-errors.js';

/** Loads kysely and then a driver. Throws `DriverMissingError`, with the one command that installs both, when one is missing. */
export async function loadDriver<Module>(url: string, driver: string, load: () => Promise<Module>): Promise<Module> {
  const install = `npm install kysely ${driver}`;
  await loaded(url, 'kysely', install, () => import('kysely'));
  return loaded(url, driver, install, load);
}

/** Loads an optional package, or says how to install it. */
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
