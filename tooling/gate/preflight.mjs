import { existsSync, statfsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const GIB = 1024 ** 3;

/** One line with the remedy when this Node is too old, else null. */
export function nodeProblem(version) {
  const [major, minor] = version.replace(/^v/, '').split('.').map(Number);
  if (major > 20 || (major === 20 && minor >= 19)) return null;
  return `Horae needs Node 20.19 or newer and this is ${version}: install a current Node (https://nodejs.org, or "nvm install 22") and run the command again.`;
}

/** One line with the remedy when the disk cannot take the packages, else null. */
export function diskProblem(folder, freeBytes = freeBytesOf(folder)) {
  if (freeBytes >= 1.5 * GIB) return null;
  const free = (freeBytes / GIB).toFixed(1);
  return `Only ${free} GiB are free in ${folder} and the packages need 1.5 GiB: free some space and run the command again.`;
}

function freeBytesOf(folder) {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

/** One line with the remedy when an install failed because an addon could not be compiled, else null. */
export function compilerProblem(output, onPath = isOnPath, platform = process.platform) {
  if (!/gyp ERR!|node-gyp|not found: make|prebuild-install/.test(output)) return null;
  const missing = [
    ['python3', 'python'],
    ['make', 'nmake'],
    ['g++', 'c++', 'clang++', 'cl'],
  ]
    .filter((names) => !names.some((name) => onPath(name)))
    .map(([name]) => name);
  if (missing.length === 0) return null;
  const remedies = {
    darwin: 'run "xcode-select --install"',
    win32: 'install the "Desktop development with C++" workload of Visual Studio Build Tools and Python',
  };
  const remedy = remedies[platform] ?? 'install them (Debian, Ubuntu: "apt-get install -y python3 make g++")';
  return `better-sqlite3 has to be compiled here and ${missing.join(', ')} cannot be found: ${remedy}, then run the command again.`;
}

function isOnPath(name) {
  const endings = process.platform === 'win32' ? ['.exe', '.cmd', '.bat'] : [''];
  return (process.env.PATH ?? '')
    .split(delimiter)
    .some((folder) => folder !== '' && endings.some((ending) => existsSync(join(folder, name + ending))));
}

/** One line when the registry could not be reached, else null. */
export function networkProblem(output) {
  if (!/ENOTFOUND|ECONNREFUSED|ETIMEDOUT|EAI_AGAIN|ERR_PNPM_META_FETCH_FAIL|network request .* failed/i.test(output))
    return null;
  return 'The package registry could not be reached: check the network or the registry that "npm config get registry" names, and run the command again.';
}
