/** The roles of people and programs, each including those before it. */
export const roles = ['viewer', 'operator', 'editor', 'admin'] as const;
/** The role of a person or a token; each role includes those before it. */
export type Role = (typeof roles)[number];

/** A role, in all executor groups or only in some. */
export interface Grant {
  readonly role: Role;
  /** Null: all groups. */
  readonly groups: readonly string[] | null;
}

/** A person with a password. */
export interface UserView extends Grant {
  readonly name: string;
  readonly isDisabled: boolean;
  readonly createdAt: number;
  readonly lastLoginAt: number | null;
}

/** A token of the API, without its secret. */
export interface TokenView extends Grant {
  readonly id: string;
  readonly name: string;
  readonly createdAt: number;
  readonly createdBy: string;
  readonly lastUsedAt: number | null;
  readonly revokedAt: number | null;
}

/** One change, or an attempt at one. */
export interface AuditEntry {
  readonly id: number;
  readonly at: number;
  readonly who: string;
  readonly via: 'session' | 'token' | 'header' | 'none';
  /** The address of the caller; null where the server did not provide it. */
  readonly from: string | null;
  /** The method and the path as the API describes it: `POST /admin/jobs/{id}/stop`. */
  readonly action: string;
  /** The target of the change: `job 12`. */
  readonly target: string;
  /** The answer's status. */
  readonly status: number;
  readonly before: unknown;
  readonly after: unknown;
}

/** What the page receives about its user. */
export type SessionView =
  | {
      readonly kind: 'in';
      readonly name: string;
      readonly role: Role;
      readonly groups: readonly string[] | null;
      /** Sent back in `x-csrf-token` with every change. */
      readonly csrf: string;
      readonly canLogOut: boolean;
      readonly hasPassword: boolean;
      readonly isReadOnly: boolean;
      readonly title: string;
      readonly zone: string;
    }
  | {
      readonly kind: 'out';
      readonly hasUsers: boolean;
      /** The label of the OpenID provider; null: users log in with a password. */
      readonly provider: string | null;
      readonly title: string;
    };

/** The version of the console, and the database and node that it runs on. */
export interface AboutView {
  readonly version: string;
  readonly database: 'sqlite' | 'postgres' | 'mysql';
  readonly claim: string;
  readonly nodeId: string;
  readonly zone: string;
  readonly now: number;
}

/** The header in which a change carries the session's CSRF token. */
export const CSRF_HEADER = 'x-csrf-token';
