import { hashPassword } from '../accounts/passwords.js';
import { Problem } from '../http/problem.js';
import { readJson } from '../http/read-json.js';
import type { UserView } from '../wire/accounts.js';
import { newTokenShape, newUserShape, userChangeShape } from './account-shapes.js';
import type { Asked, Caller, Desk } from './desk.js';

/** The result of one of the console's own routes, with its audit entry. */
export interface Done {
  readonly status: number;
  readonly body: unknown;
  readonly target: string;
  readonly before: unknown;
  readonly after: unknown;
}

export async function addUser({ accounts, clock }: Desk, { request }: Asked): Promise<Done> {
  const { password, ...rest } = await readJson(request, newUserShape);
  const outcome = await accounts.users.add({ ...rest, password: await hashPassword(password) }, clock.now());
  if (outcome === 'taken') throw new Problem(409, 'name-taken', `There is a user ${rest.name}`);
  const user = viewOf((await accounts.users.find(rest.name))!);
  return { status: 201, body: user, target: `user ${rest.name}`, before: null, after: user };
}

export async function changeUser({ accounts }: Desk, { request }: Asked, name: string): Promise<Done> {
  const { password, ...rest } = await readJson(request, userChangeShape);
  const before = await accounts.users.find(name);
  const change = password === undefined ? rest : { ...rest, password: await hashPassword(password) };
  refuse(await accounts.users.change(name, change), name);
  const user = viewOf((await accounts.users.find(name))!);
  return { status: 200, body: user, target: `user ${name}`, before: before && viewOf(before), after: user };
}

export async function removeUser({ accounts }: Desk, name: string): Promise<Done> {
  const before = await accounts.users.find(name);
  refuse(await accounts.users.remove(name), name);
  return { status: 204, body: undefined, target: `user ${name}`, before: before && viewOf(before), after: null };
}

export async function addToken({ accounts, clock }: Desk, { request }: Asked, caller: Caller): Promise<Done> {
  const wanted = await readJson(request, newTokenShape);
  const { token, secret } = await accounts.tokens.add({ ...wanted, createdBy: caller.name }, clock.now());
  return { status: 201, body: { ...token, secret }, target: `token ${token.id}`, before: null, after: token };
}

export async function revokeToken({ accounts, clock }: Desk, id: string): Promise<Done> {
  const before = await accounts.tokens.get(id);
  if (before === null) throw new Problem(404, 'unknown-token', `There is no token ${id}`);
  await accounts.tokens.revoke(id, clock.now());
  const after = await accounts.tokens.get(id);
  return { status: 200, body: after, target: `token ${id}`, before, after };
}

function refuse(outcome: string, name: string): void {
  if (outcome === 'unknown') throw new Problem(404, 'unknown-user', `There is no user ${name}`);
  if (outcome === 'last-admin')
    throw new Problem(
      409,
      'last-admin',
      'Somebody must stay who may manage users: make another admin of all groups first',
    );
}

/** A user without the hash of the password. */
export function viewOf({ name, role, groups, isDisabled, createdAt, lastLoginAt }: UserView): UserView {
  return { name, role, groups, isDisabled, createdAt, lastLoginAt };
}
