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
  /** Null unless people log in with OpenID Connect. */
  readonly provider: Provider | null;
  readonly clock: Clock;
  readonly log: Logger;
  /** Of this package. */
  readonly version: string;
}

/** Somebody who was let in. */
export interface Caller extends Grant {
  readonly name: string;
  readonly via: Exclude<AuditEntry['via'], 'none'>;
  /** What a change has to carry; null for tokens, which no browser sends by itself. */
  readonly csrf: string | null;
}

/** A request with what the server knows about it. */
export interface Asked {
  readonly request: Request;
  readonly method: string;
  /** Without the base path and the query. */
  readonly path: string;
  readonly query: URLSearchParams;
  /** The address at the other end of the connection; null where the server does not say. */
  readonly peer: string | null;
}
