import type { Logger, TimeRing } from '@horae/time-ring';
import { type Role, roles } from '../wire/accounts.js';

/** People log in at an OpenID Connect provider: authorization code flow with PKCE. */
export interface OidcAuth {
  kind: 'oidc';
  /** The issuer's URL, https but for loopback; its metadata is found below it. */
  issuer: string;
  clientId: string;
  /** Without it the console is a public client, which PKCE alone protects. */
  clientSecret?: string;
  /** `openid profile email` by default. */
  scope?: string;
  /** The label of the button after "Log in with": `OpenID Connect` by default. */
  label?: string;
  /** The redirect URI registered at the provider; by default the address the browser has used, with `/console/oidc/callback`. */
  redirectUri?: string;
  /** Whether a logout also ends the session at the provider, where it has an `end_session_endpoint`: `provider` by default. */
  logout?: 'provider' | 'console';
  /**
   * Where the provider sends the browser after the logout; by default the console's own address. It has to be registered at the provider.
   */
  postLogoutRedirectUri?: string;
  /** The claim with the name: `preferred_username` by default, and without it the address or the id. */
  nameClaim?: string;
  /** The role of every user that can log in there: `viewer` by default; null: only users with a role by `roleClaim` may log in. */
  role?: Role | null;
  /** The claim with roles, a text or a list; a path such as `realm_access.roles` leads inside. */
  roleClaim?: string;
  /** Which values of that claim are which roles; without it, those that equal the name of a role. */
  roles?: Readonly<Record<string, Role>>;
  /** The claim with executor groups; without this option all groups. A user without the claim sees none. */
  groupsClaim?: string;
}

/** How users are identified: by passwords of the console, by an OpenID provider, or by names that a reverse proxy has checked. */
export type ConsoleAuth =
  | { kind: 'users' }
  | OidcAuth
  | {
      kind: 'header';
      /** The header with the user's name, such as `x-forwarded-user`. */
      header: string;
      /**
       * Addresses of the proxies that set it; from any other address the header is ignored. `'any'` where only the proxy can reach the
       * server.
       */
      proxies: readonly string[] | 'any';
      /** The role of every user with a name; `viewer` by default. */
      role?: Role;
      /** A header with the role of the user, over `role`. */
      roleHeader?: string;
      /** A header with the executor groups of the user, separated by commas; without it all groups. */
      groupsHeader?: string;
    };

/** Options of `createConsole`. */
export interface ConsoleOptions {
  /** The ring that `startTimeRing` returned. */
  ring: TimeRing;
  /** How users log in: with passwords that the console keeps, by default. */
  auth?: ConsoleAuth;
  /** Where it is mounted, such as `/ops`; at the root by default. */
  basePath?: string;
  /** No user can change anything, whatever their role. */
  readOnly?: boolean;
  /** The title of the page. */
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

/** An option that cannot be used, with the expected value. */
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
  if (auth?.kind === 'oidc') {
    checkOidc(auth);
    return;
  }
  if (auth?.kind !== 'header')
    throw new ConsoleOptionError('auth.kind', (auth as { kind?: unknown })?.kind, "'users', 'oidc' or 'header'");
  if (typeof auth.header !== 'string' || auth.header === '')
    throw new ConsoleOptionError('auth.header', auth.header, 'the name of a header such as x-forwarded-user');
  if (auth.proxies !== 'any' && !(Array.isArray(auth.proxies) && auth.proxies.every((one) => typeof one === 'string')))
    throw new ConsoleOptionError('auth.proxies', auth.proxies, "a list of the proxies' addresses, or 'any'");
  if (auth.role !== undefined && !roles.includes(auth.role))
    throw new ConsoleOptionError('auth.role', auth.role, `one of ${roles.join(', ')}`);
}

function checkOidc(auth: OidcAuth): void {
  const { issuer, clientId, clientSecret, role, roles: names = {} } = auth;
  const url = typeof issuer === 'string' && URL.canParse(issuer) ? new URL(issuer) : null;
  const isLoopback = url !== null && /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  if (url === null || !(url.protocol === 'https:' || (url.protocol === 'http:' && isLoopback)))
    throw new ConsoleOptionError('auth.issuer', issuer, 'an https URL such as https://id.example.com');
  if (typeof clientId !== 'string' || clientId === '')
    throw new ConsoleOptionError('auth.clientId', clientId, 'what the provider calls this console');
  if (clientSecret !== undefined && (typeof clientSecret !== 'string' || clientSecret === ''))
    throw new ConsoleOptionError('auth.clientSecret', typeof clientSecret, 'a text, or left out');
  if (role !== undefined && role !== null && !roles.includes(role))
    throw new ConsoleOptionError('auth.role', role, `one of ${roles.join(', ')}, or null`);
  for (const [name, given] of Object.entries(names))
    if (!roles.includes(given)) throw new ConsoleOptionError(`auth.roles.${name}`, given, `one of ${roles.join(', ')}`);
  for (const field of ['scope', 'label', 'nameClaim', 'roleClaim', 'groupsClaim'] as const)
    if (auth[field] !== undefined && (typeof auth[field] !== 'string' || auth[field] === ''))
      throw new ConsoleOptionError(`auth.${field}`, auth[field], 'a text, or left out');
  if (auth.logout !== undefined && auth.logout !== 'provider' && auth.logout !== 'console')
    throw new ConsoleOptionError('auth.logout', auth.logout, "'provider' or 'console'");
  if (auth.postLogoutRedirectUri !== undefined && !URL.canParse(auth.postLogoutRedirectUri))
    throw new ConsoleOptionError('auth.postLogoutRedirectUri', auth.postLogoutRedirectUri, 'a whole URL');
  if (auth.redirectUri !== undefined && !URL.canParse(auth.redirectUri))
    throw new ConsoleOptionError(
      'auth.redirectUri',
      auth.redirectUri,
      'the whole URL that ends in /console/oidc/callback',
    );
}
