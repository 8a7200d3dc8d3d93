import { z } from 'zod';
import { hashPassword, isPassword } from '../accounts/passwords.js';
import { SESSION_MS } from '../accounts/sql-sessions.js';
import { isByTls, sessionCookie, setSessionCookie } from '../http/cookies.js';
import { jsonResponse, Problem } from '../http/problem.js';
import { readJson } from '../http/read-json.js';
import type { SessionView } from '../wire/accounts.js';
import { nameShape, passwordShape } from './account-shapes.js';
import { checkChange, checkSite } from './check-change.js';
import type { Asked, Caller, Desk } from './desk.js';
import { providerLogout } from './oidc-routes.js';

const login = z.strictObject({ name: z.string().max(1_000), password: z.string().max(1_000) });
const first = z.strictObject({ invitation: z.string().max(1_000), name: nameShape, password: passwordShape });
const newPassword = z.strictObject({ current: z.string().max(1_000), next: passwordShape });

/** A hash that no password has, so that a name that does not exist takes as long as one that does. */
let noPassword: Promise<string> | undefined;

function unknownUsersHash(): Promise<string> {
  noPassword ??= hashPassword('');
  return noPassword;
}

/** GET: the current session. */
export async function showSession(desk: Desk, caller: Caller | null): Promise<Response> {
  const { title, isReadOnly } = desk.options;
  const view: SessionView =
    caller === null
      ? { kind: 'out', title, ...(await howToLogIn(desk)) }
      : {
          ...{ kind: 'in', name: caller.name, role: caller.role, groups: caller.groups, csrf: caller.csrf ?? '' },
          ...{
            canLogOut: caller.via === 'session',
            hasPassword: hasPassword(desk, caller),
            isReadOnly,
            title,
            zone: desk.admin.zone,
          },
        };
  return jsonResponse(view);
}

async function howToLogIn({ options, accounts }: Desk): Promise<{ hasUsers: boolean; provider: string | null }> {
  const { auth } = options;
  if (auth.kind === 'oidc') return { hasUsers: true, provider: auth.label ?? 'OpenID Connect' };
  return { hasUsers: auth.kind === 'header' || (await accounts.users.count()) > 0, provider: null };
}

function hasPassword({ options }: Desk, { via }: Caller): boolean {
  return via === 'session' && options.auth.kind === 'users';
}

/** POST: name and password for a new session. */
export async function logIn(desk: Desk, asked: Asked): Promise<Response> {
  refuseWithoutUsers(desk);
  checkSite(asked.request);
  const given = await readJson(asked.request, login);
  const name = given.name.trim().normalize('NFC').toLowerCase();
  const keys = [`name ${name.slice(0, 190)}`, ...(asked.peer === null ? [] : [`from ${asked.peer}`])];
  const waitMs = desk.limits.waitMs(keys);
  if (waitMs > 0) {
    const seconds = Math.ceil(waitMs / 1_000);
    throw new Problem(429, 'too-many-attempts', `Too many attempts: try again in ${Math.ceil(seconds / 60)} min`, {
      'retry-after': String(seconds),
    });
  }
  // Counted before the slow check, so that many at once are many.
  desk.limits.failed(keys);
  const user = await desk.accounts.users.find(name);
  const isRight = await isPassword(given.password, user?.password ?? (await unknownUsersHash()));
  if (user === null || user.isDisabled || !isRight) {
    desk.log.warn({ name: name.slice(0, 190), from: asked.peer }, 'A login was refused');
    await note(desk, asked, name, 'none', 401);
    throw new Problem(401, 'bad-login', 'The name or the password is wrong');
  }
  desk.limits.succeeded(keys);
  return begin(desk, asked, name, 200);
}

/** POST: the first admin, with the secret of the address in the log. */
export async function makeFirstAdmin(desk: Desk, asked: Asked): Promise<Response> {
  refuseWithoutUsers(desk);
  checkSite(asked.request);
  const { invitation, name, password } = await readJson(asked.request, first);
  if (!(await desk.accounts.settings.isInvitation(invitation)))
    throw new Problem(403, 'bad-invitation', 'This address is not good any more: the log of the server has the newest');
  const user = { name, password: await hashPassword(password), role: 'admin', groups: null } as const;
  if ((await desk.accounts.users.add(user, desk.clock.now(), true)) === 'taken')
    throw new Problem(409, 'has-users', 'There are users already: an admin can add more');
  await desk.accounts.settings.endInvitations();
  return begin(desk, asked, name, 201);
}

/** DELETE: ends the session. With a provider that needs a logout of its own, the answer contains its address. */
export async function logOut(desk: Desk, asked: Asked, caller: Caller): Promise<Response> {
  if (caller.csrf !== null && !desk.options.isReadOnly) checkChange(desk, asked, caller);
  const secret = sessionCookie(asked.request);
  const ended = secret === undefined ? null : await desk.accounts.sessions.end(secret);
  const away = ended === null ? null : await providerLogout(desk, asked, ended.idToken);
  const headers = { 'set-cookie': cookie(desk, asked, null) };
  return away === null ? new Response(null, { status: 204, headers }) : jsonResponse({ logoutAt: away }, 200, headers);
}

/** POST: another password; every session of the user ends, and a new one begins. */
export async function changePassword(desk: Desk, asked: Asked, caller: Caller): Promise<Response> {
  checkChange(desk, asked, caller);
  if (!hasPassword(desk, caller)) throw new Problem(403, 'no-password', 'Only users with a password can change it');
  const { current, next } = await readJson(asked.request, newPassword);
  const user = await desk.accounts.users.find(caller.name);
  if (user === null || !(await isPassword(current, user.password)))
    throw new Problem(403, 'bad-login', 'The current password is wrong');
  await desk.accounts.users.change(caller.name, { password: await hashPassword(next) });
  return begin(desk, asked, caller.name, 200);
}

function refuseWithoutUsers({ options }: Desk): void {
  if (options.auth.kind !== 'users')
    throw new Problem(404, 'no-users', 'This console has no users of its own: somebody else knows who people are');
}

async function begin(desk: Desk, asked: Asked, name: string, status: number): Promise<Response> {
  const at = desk.clock.now();
  const old = sessionCookie(asked.request);
  if (old !== undefined) await desk.accounts.sessions.end(old);
  const secret = await desk.accounts.sessions.begin(name, at);
  await desk.accounts.users.loggedIn(name, at);
  await note(desk, asked, name, 'session', status);
  return jsonResponse({ name }, status, { 'set-cookie': cookie(desk, asked, secret) });
}

function cookie({ options }: Desk, { request }: Asked, secret: string | null): string {
  const { basePath } = options;
  return setSessionCookie(secret, { basePath, isSecure: isByTls(request), maxAgeS: SESSION_MS / 1_000 });
}

function note(desk: Desk, { method, path, peer }: Asked, who: string, via: 'session' | 'none', status: number) {
  const action = `${method} ${path}`;
  const entry = { at: desk.clock.now(), who, via, from: peer, action, target: `user ${who}`, status };
  return desk.accounts.audit.add({ ...entry, before: null, after: null });
}
