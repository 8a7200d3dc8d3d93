import { type Grant, type Role, roles } from '../wire/accounts.js';

/** The columns of a grant. */
export interface StoredGrant {
  readonly role: string;
  /** A JSON array of groups; null: all. */
  readonly scope: string | null;
}

export function storedScope({ groups }: Grant): string | null {
  return groups === null ? null : JSON.stringify(groups);
}

/** What a row grants. A role that nobody knows, from a newer version, is the least there is. */
export function readGrant({ role, scope }: StoredGrant): Grant {
  const known = roles.includes(role as Role) ? (role as Role) : 'viewer';
  return { role: known, groups: scope === null ? null : (JSON.parse(scope) as string[]) };
}
