import { type Grant, type Role, roles } from '../wire/accounts.js';

/** Whether a role includes another. */
export function includesRole(role: Role, needed: Role): boolean {
  return roles.indexOf(role) >= roles.indexOf(needed);
}

/** Whether a grant reaches an executor group. */
export function reachesGroup({ groups }: Grant, group: string): boolean {
  return groups === null || groups.includes(group);
}
