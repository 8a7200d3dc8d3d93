/** The header that carries the token in both directions, unless an option names another. */
export const TOKEN_HEADER = 'XXL-JOB-ACCESS-TOKEN';

/** The paths that the scheduler calls, below the executor's address. */
export const executorPaths = {
  beat: '/beat',
  idleBeat: '/idleBeat',
  run: '/run',
  kill: '/kill',
  log: '/log',
} as const;

/** The paths that an executor calls, below the scheduler's address. */
export const schedulerPaths = {
  registry: '/api/registry',
  registryRemove: '/api/registryRemove',
  callback: '/api/callback',
} as const;

/** The default path of XXL-JOB's own scheduler; executors configured for it keep calling it. */
export const XXL_PREFIX = '/xxl-job-admin';

/** The URL of a call: trailing slashes of the address are removed, its path and its query stay. */
export function callUrl(address: string, path: string): URL {
  const url = new URL(address);
  let end = url.pathname.length;
  while (end > 0 && url.pathname[end - 1] === '/') end -= 1;
  url.pathname = url.pathname.slice(0, end) + path;
  url.hash = '';
  return url;
}
