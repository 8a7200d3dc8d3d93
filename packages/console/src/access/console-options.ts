import type { Logger, TimeRing } from '@horae/time-ring';
import { type Role, roles } from '../wire/accounts.js';

/** Who people are: users of the console with passwords, or names that a reverse proxy has checked. */
export type ConsoleAuth =
  | { kind: 'users' }
  | {
      kind: 'header';
      /** The header with the user's name, such as `x-forwarded-user`. */
      header: string;
      /** Addresses of the proxies that set it; from any other address the header counts for nothing. `'any'` where only the proxy can reach the server. */
      proxies: readonly string[] | 'any';
      /** What everybody may who has a name; `viewer` by default. */
      role?: Role;
      /** A header with the role of the user, over `role`. */
      roleHeader?: string;
      /** A header with the executor groups of the user, separated by commas; without it all groups. */
      groupsHeader?: string;
    };

/** Options of `createConsole`. */
export interface ConsoleOptions {
  /** What `startTimeRing` gave. */
  ring: TimeRing;
  auth?: ConsoleAuth;
  /** Where it is mounted, such as `/ops`; at the root by default. */
  basePath?: string;
  /** Nobody changes anything, whatever their role. */
  readOnly?: boolean;
  /** What the page is called. */
  title?: string;
  /** Where the address for the first admin and refusals go: the ring's log by default, or else the standard output. */
  log?: Logger;
}

/** The options with every default filled in. */
export interface ResolvedConsole {
  readonly auth: ConsoleAuth;
  /** Without a slash at the end; empty at the root. */
  readonly basePath: string;
  readonly isReadOnly: boolean;
  readonly title: string;
}

/** An option that cannot be used, with what is wanted instead. */
export class ConsoleOptionError extends TypeError {
  readonly code = 'bad-option';

  constructor(
    readonly field: string,
    readonly value: unknown,
    wanted: string,
  ) {
    super(`${field} must be ${wanted}; got ${String(value)}`);
  }
}

/** Checks the options and fills in the defaults. */
export function resolveConsole(options: Omit<ConsoleOptions, 'ring' | 'log'>): ResolvedConsole {
  const { basePath = '', readOnly = false, title = 'Horae', auth = { kind: 'users' } } = options;
  if (typeof basePath !== 'string' || !/^(\/[\w.~-]+)*\/?$/.test(basePath))
    throw new ConsoleOptionError('basePath', basePath, 'a path such as /ops');
  if (typeof readOnly !== 'boolean') throw new ConsoleOptionError('readOnly', readOnly, 'true or false');
  if (typeof title !== 'string' || title === '') throw new ConsoleOptionError('title', title, 'a text');
  checkAuth(auth);
  return { auth, basePath: basePath.replace(/\/$/, ''), isReadOnly: readOnly, title };
}

function checkAuth(auth: ConsoleAuth): void {
  if (auth?.kind === 'users') return;
  if (auth?.kind !== 'header')
    throw new ConsoleOptionError('auth.kind', (auth as { kind?: unknown })?.kind, "'users' or 'header'");
  if (typeof auth.header !== 'string' || auth.header === '')
    throw new ConsoleOptionError('auth.header', auth.header, 'the name of a header such as x-forwarded-user');
  if (auth.proxies !== 'any' && !(Array.isArray(auth.proxies) && auth.proxies.every((one) => typeof one === 'string')))
    throw new ConsoleOptionError('auth.proxies', auth.proxies, "a list of the proxies' addresses, or 'any'");
  if (auth.role !== undefined && !roles.includes(auth.role))
    throw new ConsoleOptionError('auth.role', auth.role, `one of ${roles.join(', ')}`);
}
