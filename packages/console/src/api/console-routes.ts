import { includesRole } from '../access/allows.js';
import { isReading } from '../access/route-rules.js';
import { jsonResponse, Problem, problemResponse } from '../http/problem.js';
import type { AboutView } from '../wire/accounts.js';
import { addToken, addUser, changeUser, type Done, removeUser, revokeToken, viewOf } from './account-routes.js';
import { listAudit } from './audit-routes.js';
import { checkChange } from './check-change.js';
import type { Asked, Caller, Desk } from './desk.js';
import { beginOidc, finishOidc } from './oidc-routes.js';
import { changePassword, logIn, logOut, makeFirstAdmin, showSession } from './session-routes.js';

/** Answers requests below `/console`: the session, and users and their rights. */
export async function answerConsole(desk: Desk, asked: Asked, caller: Caller | null): Promise<Response> {
  const what = `${asked.method === 'HEAD' ? 'GET' : asked.method} ${asked.path}`;
  if (what === 'GET /console/session') return showSession(desk, caller);
  if (what === 'POST /console/session') return logIn(desk, asked);
  if (what === 'GET /console/oidc/login') return beginOidc(desk, asked);
  if (what === 'GET /console/oidc/callback') return finishOidc(desk, asked);
  if (what === 'POST /console/first-admin') return makeFirstAdmin(desk, asked);
  if (caller === null) throw new Problem(401, 'unauthorized', 'Log in, or give a token: Authorization: Bearer <token>');
  if (what === 'DELETE /console/session') return logOut(desk, asked, caller);
  if (what === 'POST /console/password') return changePassword(desk, asked, caller);
  if (what === 'GET /console/about') return jsonResponse(about(desk));
  if (what === 'GET /console/audit') return listAudit(desk, asked, caller);
  return answerAccounts(desk, asked, caller);
}

async function answerAccounts(desk: Desk, asked: Asked, caller: Caller): Promise<Response> {
  const { accounts } = desk;
  const [, , list, encoded, ...rest] = asked.path.split('/');
  const isKnown = (list === 'users' || list === 'tokens') && rest.length === 0;
  if (!isKnown) throw new Problem(404, 'not-found', 'There is nothing at this path');
  if (!includesRole(caller.role, 'admin') || caller.groups !== null) {
    const refusal = new Problem(403, 'forbidden', 'Only an admin of all groups manages users and tokens');
    if (!isReading(asked.method))
      await note(desk, asked, caller, { status: 403, target: list, before: null, after: null });
    return problemResponse(refusal);
  }
  if (isReading(asked.method) && encoded === undefined) {
    if (list === 'tokens') return jsonResponse({ tokens: await accounts.tokens.list() });
    return jsonResponse({ users: (await accounts.users.list()).map(viewOf) });
  }
  checkChange(desk, asked, caller);
  const done = await change(desk, asked, caller, list, encoded === undefined ? undefined : decodeURIComponent(encoded));
  await note(desk, asked, caller, done);
  return done.status === 204 ? new Response(null, { status: 204 }) : jsonResponse(done.body, done.status);
}

function change(desk: Desk, asked: Asked, caller: Caller, list: string, name: string | undefined): Promise<Done> {
  switch (`${asked.method} ${list}${name === undefined ? '' : '/'}`) {
    case 'POST users':
      return addUser(desk, asked);
    case 'PATCH users/':
      return changeUser(desk, asked, name!);
    case 'DELETE users/':
      return removeUser(desk, name!);
    case 'POST tokens':
      return addToken(desk, asked, caller);
    case 'DELETE tokens/':
      return revokeToken(desk, name!);
    default:
      throw new Problem(405, 'method-not-allowed', 'This path does not take this method');
  }
}

function note({ accounts, clock }: Desk, asked: Asked, caller: Caller, done: Omit<Done, 'body'>): Promise<void> {
  const { status, target, before, after } = done;
  const action = `${asked.method} ${asked.path.split('/').slice(0, 3).join('/')}`;
  const { name: who, via } = caller;
  return accounts.audit.add({ at: clock.now(), who, via, from: asked.peer, action, target, status, before, after });
}

function about({ admin, ring, clock, version }: Desk): AboutView {
  const { claim, nodeId } = ring.health();
  return { version, database: admin.database.dialect, claim, nodeId, zone: admin.zone, now: clock.now() };
}
