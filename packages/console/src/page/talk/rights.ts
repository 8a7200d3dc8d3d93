import { type Role, roles } from '../../wire/accounts.js';
import { session } from './api.js';

/** Whether the person may do what needs a role. The server decides again; this only hides buttons whose request would be refused. */
export function useMay(): (role: Role) => boolean {
  const now = session.use();
  return (role) => now?.kind === 'in' && !now.isReadOnly && roles.indexOf(now.role) >= roles.indexOf(role);
}

/** Whether the person's role holds for all groups. */
export function useSeesAll(): boolean {
  const now = session.use();
  return now?.kind === 'in' && now.groups === null;
}

/** Whether the person manages users and tokens and reads the whole log. */
export function useIsFullAdmin(): boolean {
  const now = session.use();
  return now?.kind === 'in' && now.role === 'admin' && now.groups === null;
}
