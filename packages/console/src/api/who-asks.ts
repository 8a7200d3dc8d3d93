import type { ConsoleAuth } from '../access/console-options.js';
import { signed } from '../accounts/secrets.js';
import { TOKEN_PREFIX } from '../accounts/sql-tokens.js';
import { sessionCookie } from '../http/cookies.js';
import { type Role, roles } from '../wire/accounts.js';
import type { Asked, Caller, Desk } from './desk.js';

/** The caller of a request: by a token first, then the proxy's header, then a session. Null: unknown. */
export async function whoAsks(desk: Desk, asked: Asked): Promise<Caller | null> {
  const bearer = /^bearer +(.+)$/i.exec(asked.request.headers.get('authorization') ?? '')?.[1];
  if (bearer !== undefined) return byToken(desk, bearer);
  const { auth } = desk.options;
  if (auth.kind === 'header') return byHeader(desk, auth, asked);
  return bySession(desk, asked);
}

async function byToken({ accounts, clock }: Desk, secret: string): Promise<Caller | null> {
  if (!secret.startsWith(TOKEN_PREFIX)) return null;
  const token = await accounts.tokens.find(secret, clock.now());
  if (token === null) return null;
  return { name: `token ${token.name}`, via: 'token', role: token.role, groups: token.groups, csrf: null };
}

async function bySession({ accounts, clock, options }: Desk, { request }: Asked): Promise<Caller | null> {
  const secret = sessionCookie(request);
  const session = secret === undefined ? null : await accounts.sessions.find(secret, clock.now());
  if (session === null) return null;
  const csrf = signed(accounts.signingKey, session.hash);
  if (options.auth.kind === 'oidc') {
    const { userName: name, granted } = session;
    return granted === null ? null : { name, via: 'session', ...granted, csrf };
  }
  // A session that a provider granted is void once the console uses passwords again.
  const user = session.granted === null ? await accounts.users.find(session.userName) : null;
  if (user === null || user.isDisabled) return null;
  return { name: user.name, via: 'session', role: user.role, groups: user.groups, csrf };
}

function byHeader({ accounts }: Desk, auth: Extract<ConsoleAuth, { kind: 'header' }>, asked: Asked): Caller | null {
  const isProxy = auth.proxies === 'any' || (asked.peer !== null && auth.proxies.includes(plainAddress(asked.peer)));
  const name = isProxy ? asked.request.headers.get(auth.header)?.trim() : undefined;
  if (name === undefined || name === '' || name.length > 190) return null;
  const said = auth.roleHeader === undefined ? null : asked.request.headers.get(auth.roleHeader)?.trim().toLowerCase();
  const role = roles.includes(said as Role) ? (said as Role) : (auth.role ?? 'viewer');
  const listed = auth.groupsHeader === undefined ? null : asked.request.headers.get(auth.groupsHeader);
  const groups =
    listed
      ?.split(',')
      .map((group) => group.trim())
      .filter((group) => group !== '') ?? null;
  return { name, via: 'header', role, groups, csrf: signed(accounts.signingKey, `header ${name}`) };
}

/** An IPv4 address from an IPv6 socket counts as the plain IPv4 address. */
function plainAddress(address: string): string {
  return address.replace(/^::ffff:(?=\d+\.)/, '');
}
