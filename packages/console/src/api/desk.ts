import type { Clock } from '@horae/clock-store';
import type { Logger, TimeRing } from '@horae/time-ring';
import type { RingAdmin } from '@horae/time-ring/admin';
import type { ResolvedConsole } from '../access/console-options.js';
import type { LoginLimits } from '../accounts/login-limits.js';
import type { Accounts } from '../accounts/open-accounts.js';
import type { Provider } from '../oidc/provider.js';
import type { AuditEntry, Grant } from '../wire/accounts.js';

/** What the console's routes share. */
export interface Desk {
  readonly ring: TimeRing;
  readonly admin: RingAdmin;
  readonly accounts: Accounts;
  readonly options: ResolvedConsole;
  readonly limits: LoginLimits;
  /** Null unless users log in with OpenID Connect. */
  readonly provider: Provider | null;
  readonly clock: Clock;
  readonly log: Logger;
  /** The version of this package. */
  readonly version: string;
}

/** An authenticated caller. */
export interface Caller extends Grant {
  readonly name: string;
  readonly via: Exclude<AuditEntry['via'], 'none'>;
  /** The CSRF token that a change has to carry; null for API tokens, which no browser sends by itself. */
  readonly csrf: string | null;
}

/** A request with the server's data about it. */
export interface Asked {
  readonly request: Request;
  readonly method: string;
  /** Without the base path and the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The address at the other end of the connection; null where the server does not provide it. */
  readonly peer: string | null;
}
