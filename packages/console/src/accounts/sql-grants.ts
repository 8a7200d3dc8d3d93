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

/** The grant of a row. An unknown role, from a newer version, counts as the lowest. */
export function readGrant({ role, scope }: StoredGrant): Grant {
  const known = roles.includes(role as Role) ? (role as Role) : 'viewer';
  return { role: known, groups: scope === null ? null : (JSON.parse(scope) as string[]) };
}
