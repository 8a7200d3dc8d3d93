import { SESSION_MS } from '../accounts/sql-sessions.js';
import { isByTls, sessionCookie, setSessionCookie, setTicketCookie, ticketCookie } from '../http/cookies.js';
import { Problem } from '../http/problem.js';
import { grantOf, nameOf } from '../oidc/claims.js';
import { openTicket, sealTicket, TICKET_MS } from '../oidc/login-ticket.js';
import type { Asked, Desk } from './desk.js';

const CALLBACK = '/console/oidc/callback';

/** GET: sends the browser to the provider. */
export async function beginOidc(desk: Desk, asked: Asked): Promise<Response> {
  const provider = providerOf(desk);
  try {
    const { address, secrets } = await provider.begin(redirectUri(desk, asked));
    const until = desk.clock.now() + TICKET_MS;
    const ticket = sealTicket(desk.accounts.signingKey, { ...secrets, until, to: placeOf(asked.query.get('to')) });
    return redirect(address.href, [cookieFor(desk, asked, ticket)]);
  } catch (error) {
    desk.log.error({ err: error }, 'The OpenID provider does not answer');
    return toPage(desk, 'login-refused?why=provider', []);
  }
}

/** GET: the browser comes back. Its earlier session ends, and only a login that this browser began is completed. */
export async function finishOidc(desk: Desk, asked: Asked): Promise<Response> {
  const provider = providerOf(desk);
  const { auth } = desk.options;
  const noTicket = cookieFor(desk, asked, null);
  const ticket = openTicket(desk.accounts.signingKey, ticketCookie(asked.request), desk.clock.now());
  if (ticket === null || asked.query.get('state') !== ticket.state || auth.kind !== 'oidc') {
    await note(desk, asked, '', 401);
    return toPage(desk, 'login-refused?why=ticket', [noTicket]);
  }
  const callback = new URL(redirectUri(desk, asked));
  callback.search = asked.query.toString();
  const known = await provider.finish(callback, ticket).catch((error: unknown) => {
    desk.log.warn({ err: error, from: asked.peer }, 'A login with the OpenID provider was refused');
    return null;
  });
  const name = known === null ? '' : nameOf(known.claims, auth);
  const grant = known === null ? null : grantOf(known.claims, auth);
  if (known === null || grant === null || name === '') {
    await note(desk, asked, name, known === null ? 401 : 403);
    return toPage(desk, `login-refused?why=${known === null ? 'provider' : 'role'}`, [noTicket]);
  }
  const old = sessionCookie(asked.request);
  if (old !== undefined) await desk.accounts.sessions.end(old);
  const secret = await desk.accounts.sessions.begin(name, desk.clock.now(), { ...grant, idToken: known.idToken });
  await note(desk, asked, name, 200);
  const { basePath } = desk.options;
  const life = { basePath, isSecure: isByTls(asked.request), maxAgeS: SESSION_MS / 1_000 };
  return toPage(desk, ticket.to, [noTicket, setSessionCookie(secret, life)]);
}

/** The address at which a user whose session here has just ended logs out at the provider too; null where that is not needed. */
export async function providerLogout(desk: Desk, asked: Asked, idToken: string | null): Promise<string | null> {
  const { auth } = desk.options;
  if (desk.provider === null || auth.kind !== 'oidc' || auth.logout === 'console') return null;
  try {
    const backTo = auth.postLogoutRedirectUri ?? redirectUri(desk, asked).replace(CALLBACK, '/');
    return (await desk.provider.end(idToken, backTo))?.href ?? null;
  } catch (error) {
    // The session here is over whatever the provider does.
    desk.log.warn({ err: error }, 'The OpenID provider does not answer: somebody is logged out here alone');
    return null;
  }
}

function providerOf({ provider }: Desk): NonNullable<Desk['provider']> {
  if (provider !== null) return provider;
  throw new Problem(404, 'no-provider', 'This console does not use OpenID Connect');
}

/** Where the provider sends the browser back to: the address of the options, or else the one that the browser has used. */
function redirectUri({ options }: Desk, { request }: Asked): string {
  const { auth, basePath } = options;
  if (auth.kind === 'oidc' && auth.redirectUri !== undefined) return auth.redirectUri;
  const url = new URL(request.url);
  return `${isByTls(request) ? 'https' : 'http'}://${url.host}${basePath}${CALLBACK}`;
}

/** A place of the page, which can lead nowhere else: it comes after the `#/`. */
function placeOf(text: string | null): string {
  return text !== null && /^[\w/?=&%.-]{1,500}$/.test(text) ? text : '';
}

function toPage({ options }: Desk, place: string, cookies: readonly string[]): Response {
  return redirect(`${options.basePath}/#/${place}`, cookies);
}

function redirect(location: string, cookies: readonly string[]): Response {
  const headers = new Headers({ location, 'cache-control': 'no-store' });
  for (const cookie of cookies) headers.append('set-cookie', cookie);
  return new Response(null, { status: 303, headers });
}

function cookieFor({ options }: Desk, { request }: Asked, sealed: string | null): string {
  return setTicketCookie(sealed, {
    ...{ basePath: options.basePath, isSecure: isByTls(request), maxAgeS: TICKET_MS / 1_000 },
  });
}

function note(desk: Desk, { path, peer }: Asked, who: string, status: number): Promise<void> {
  const via = status === 200 ? 'session' : 'none';
  const entry = {
    at: desk.clock.now(),
    who,
    via,
    from: peer,
    action: `GET ${path}`,
    target: `user ${who}`,
    status,
  } as const;
  return desk.accounts.audit.add({ ...entry, before: null, after: null });
}
