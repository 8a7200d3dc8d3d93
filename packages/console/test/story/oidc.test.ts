import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createConsole, type OidcAuth } from '../../src/index.js';
import { CLIENT, startProvider } from '../support/oidc-provider.js';
import { consoleStage } from './stage.js';

const people = {
  ada: { preferred_username: 'Ada', job_role: ['admin'], job_groups: ['blue', 'red'] },
  oscar: { email: 'oscar@example.com', job_role: ['operator', 'unknown'], job_groups: ['blue'] },
  eve: {},
};

/** A browser without a page: it keeps cookies by host and path, and goes from one address to the next. */
function createVisitor() {
  const jar = new Map<string, { host: string; path: string; pair: string }>();
  const go = async (url: string, init: RequestInit = {}): Promise<Response> => {
    const { host, pathname } = new URL(url);
    const fitting = [...jar.values()].filter((one) => one.host === host && pathname.startsWith(one.path));
    const cookie = fitting.map(({ pair }) => pair).join('; ');
    const response = await fetch(url, { ...init, redirect: 'manual', headers: { ...init.headers, cookie } });
    for (const line of response.headers.getSetCookie()) {
      const pair = line.split(';')[0]!;
      const path = /path=([^;]+)/i.exec(line)?.[1] ?? '/';
      const name = `${host} ${pair.split('=')[0]} ${path}`;
      if (/max-age=0|expires=Thu, 01 Jan 1970/i.test(line)) jar.delete(name);
      else jar.set(name, { host, path, pair });
    }
    return response;
  };
  const follow = async (url: string, isThere: (url: string) => boolean): Promise<string> => {
    let at = url;
    for (let hop = 0; hop < 10 && !isThere(at); hop++) {
      const response = await go(at);
      if (response.status < 300 || response.status > 399) return at;
      at = new URL(response.headers.get('location')!, at).href;
    }
    return at;
  };
  return { go, follow, jar };
}

async function stage({ hasLogout, ...options }: Partial<OidcAuth> & { hasLogout?: boolean } = {}) {
  const provider = await startProvider(people, hasLogout === undefined ? {} : { hasLogout });
  const auth = { kind: 'oidc', issuer: provider.issuer, ...CLIENT, ...options } as const;
  const { panel, ring } = await consoleStage({ auth, basePath: '/ops' });
  const server = createServer(panel.node);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/ops`;
  provider.allow(`${url}/console/oidc/callback`);
  const visitor = createVisitor();
  /** As far as the provider's answer, which is not yet handed in. */
  const authorise = async (login: string, to = '', who = visitor) => {
    const form = await who.follow(`${url}/console/oidc/login?to=${encodeURIComponent(to)}`, () => false);
    const answer = await who.go(form, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: `login=${login}`,
    });
    const next = new URL(answer.headers.get('location')!, form).href;
    return who.follow(next, (at) => at.startsWith(url));
  };
  const hash = async (address: string, who = visitor) => (await who.go(address)).headers.get('location');
  const session = async (who = visitor) =>
    (await (await who.go(`${url}/console/session`)).json()) as Record<string, unknown>;
  const logOut = async (who = visitor) => {
    const { csrf } = (await session(who)) as { csrf: string };
    return who.go(`${url}/console/session`, { method: 'DELETE', headers: { 'x-csrf-token': csrf } });
  };
  return { url, provider, ring, panel, visitor, authorise, hash, session, logOut };
}

const claims = { roleClaim: 'job_role', groupsClaim: 'job_groups' };

describe('with an OpenID provider', () => {
  test('somebody comes back with name, role and groups of the claims, to where they wanted to go', async () => {
    const { url, authorise, hash, session, visitor } = await stage(claims);
    expect(await session()).toMatchObject({ kind: 'out', provider: 'OpenID Connect' });
    expect(await hash(await authorise('ada', 'runs?state=failed'))).toBe('/ops/#/runs?state=failed');
    expect(await session()).toMatchObject({
      ...{ kind: 'in', name: 'Ada', role: 'admin', groups: ['blue', 'red'] },
      ...{ canLogOut: true, hasPassword: false },
    });
    expect((await visitor.go(`${url}/admin/jobs`)).status).toBe(200);
    const other = createVisitor();
    expect(await hash(await authorise('oscar', '', other), other)).toBe('/ops/#/');
    expect(await session(other)).toMatchObject({ name: 'oscar@example.com', role: 'operator', groups: ['blue'] });
  });

  test('a change needs the CSRF token, and a logout ends the session', async () => {
    const { url, authorise, hash, session, visitor } = await stage({ role: 'admin', logout: 'console' });
    await hash(await authorise('ada'));
    const { csrf } = (await session()) as { csrf: string };
    const job = JSON.stringify({ name: 'a', handler: 'echo', schedule: { kind: 'none' } });
    const add = (headers: Record<string, string>) =>
      visitor.go(`${url}/admin/jobs`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: job,
      });
    expect((await add({})).status).toBe(403);
    expect((await add({ 'x-csrf-token': csrf })).status).toBe(201);
    const audit = (await (await visitor.go(`${url}/console/audit`)).json()) as { entries: { who: string }[] };
    expect(audit.entries.map(({ who }) => who)).toEqual(['Ada', 'Ada', 'Ada']);
    const out = await visitor.go(`${url}/console/session`, { method: 'DELETE', headers: { 'x-csrf-token': csrf } });
    expect(out.status).toBe(204);
    expect((await visitor.go(`${url}/admin/jobs`)).status).toBe(401);
  });

  test('a logout is one at the provider too: with its token, back to the console, and the next login asks who it is', async () => {
    const { url, provider, authorise, hash, session, visitor, logOut } = await stage();
    await hash(await authorise('ada'));
    // The provider knows the browser: a second login goes through by itself.
    const through = await visitor.follow(`${url}/console/oidc/login`, (at) =>
      at.startsWith(`${url}/console/oidc/callback`),
    );
    expect(through).toContain(`${url}/console/oidc/callback`);
    await hash(through);
    const out = await logOut();
    expect(out.status).toBe(200);
    expect((await visitor.go(`${url}/admin/jobs`)).status).toBe(401);
    const away = new URL(((await out.json()) as { logoutAt: string }).logoutAt);
    expect(away.origin + away.pathname).toBe(provider.endpoint);
    const hint = away.searchParams.get('id_token_hint')!.split('.')[1]!;
    expect(JSON.parse(Buffer.from(hint, 'base64url').toString())).toMatchObject({ sub: 'ada', aud: CLIENT.clientId });
    expect(away.searchParams.get('post_logout_redirect_uri')).toBe(`${url}/`);

    const asked = await (await visitor.go(away.href)).text();
    const confirmed = await visitor.go(`${provider.endpoint}/confirm`, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ xsrf: /name="xsrf" value="(\w+)"/.exec(asked)![1]!, logout: 'yes' }).toString(),
    });
    expect(confirmed.headers.get('location')).toBe(`${url}/`);
    expect(await visitor.follow(`${url}/console/oidc/login`, () => false)).toContain('/interaction/');
    expect((await session()).kind).toBe('out');
  });

  test.each([
    { story: 'a provider without a logout', options: { hasLogout: false } },
    { story: 'a console that logs out alone', options: { logout: 'console' } },
  ] as const)('with $story a logout ends the session here and sends nobody away', async ({ options }) => {
    const { url, authorise, hash, visitor, logOut } = await stage(options);
    await hash(await authorise('ada'));
    const out = await logOut();
    expect([out.status, await out.text()]).toEqual([204, '']);
    expect((await visitor.go(`${url}/admin/jobs`)).status).toBe(401);
  });

  test('a logout is one here alone when the provider does not answer', async () => {
    const { url, ring, authorise, hash, session, visitor } = await stage();
    await hash(await authorise('ada'));
    const { csrf } = (await session()) as { csrf: string };
    const cookie = [...visitor.jar.values()].find(({ pair }) => pair.startsWith('horae_session='))!.pair;
    const auth = { kind: 'oidc', issuer: 'http://127.0.0.1:1', clientId: 'c' } as const;
    const panel = createConsole({ ring, auth, log: { debug() {}, info() {}, warn() {}, error() {} } });
    onTestFinished(() => panel.close());
    const headers = { cookie, 'x-csrf-token': csrf };
    const address = 'http://console.example/console/session';
    expect((await panel.fetch(new Request(address, { method: 'DELETE', headers }))).status).toBe(204);
    expect((await visitor.go(`${url}/admin/jobs`)).status).toBe(401);
  });

  test('after a logout the provider sends people where the options say', async () => {
    const backTo = 'https://intranet.example/bye';
    const { provider, authorise, hash, logOut } = await stage({ postLogoutRedirectUri: backTo });
    await hash(await authorise('ada'));
    const { logoutAt } = (await (await logOut()).json()) as { logoutAt: string };
    expect(new URL(logoutAt).searchParams.get('post_logout_redirect_uri')).toBe(backTo);
    expect(logoutAt.startsWith(provider.endpoint)).toBe(true);
  });

  test('an answer of the provider is worth nothing in another browser, twice, or with another state', async () => {
    const { url, authorise, hash, session } = await stage();
    const mallory = createVisitor();
    const answer = await authorise('ada', '', mallory);
    const victim = createVisitor();
    expect(await hash(answer, victim)).toBe('/ops/#/login-refused?why=ticket');
    // The victim has begun a login of its own: the state is another one.
    await victim.go(`${url}/console/oidc/login`);
    expect(await hash(answer, victim)).toBe('/ops/#/login-refused?why=ticket');
    expect((await session(victim)).kind).toBe('out');
    expect(await hash(answer, mallory)).toBe('/ops/#/');
    expect(await hash(answer, mallory)).toBe('/ops/#/login-refused?why=ticket');
  });

  test('a code that was stolen with its state cannot be used without the verifier', async () => {
    const { url, authorise, hash, session } = await stage();
    const stolen = new URL(await authorise('ada', '', createVisitor()));
    const thief = createVisitor();
    const begun = await thief.go(`${url}/console/oidc/login`);
    stolen.searchParams.set('state', new URL(begun.headers.get('location')!).searchParams.get('state')!);
    expect(await hash(stolen.href, thief)).toBe('/ops/#/login-refused?why=provider');
    expect((await session(thief)).kind).toBe('out');
  });

  test('a session that was planted before the login is over after it', async () => {
    const { url, authorise, hash, session, visitor } = await stage();
    await hash(await authorise('ada'));
    const planted = [...visitor.jar.values()].find(({ pair }) => pair.startsWith('horae_session='))!.pair;
    await hash(await authorise('ada'));
    expect((await session()).kind).toBe('in');
    expect((await fetch(`${url}/admin/jobs`, { headers: { cookie: planted } })).status).toBe(401);
  });

  test('whoever the provider refuses, or who has no role, stays outside', async () => {
    const { authorise, hash, session } = await stage({ role: null, roleClaim: 'job_role' });
    expect(await hash(await authorise('nobody'))).toBe('/ops/#/login-refused?why=provider');
    expect(await hash(await authorise('eve', '', createVisitor()))).toBe('/ops/#/login-refused?why=ticket');
    const eve = createVisitor();
    expect(await hash(await authorise('eve', '', eve), eve)).toBe('/ops/#/login-refused?why=role');
    expect((await session(eve)).kind).toBe('out');
  });

  test('there are no passwords, and a place to go back to is always a place of the page', async () => {
    const { url, authorise, hash, visitor } = await stage();
    const login = await visitor.go(`${url}/console/session`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name: 'ada', password: 'whatever it is' }),
    });
    expect(login.status).toBe(404);
    expect(await hash(await authorise('ada', 'https://evil.example'))).toBe('/ops/#/');
  });

  test('a provider that is away is said to be away, and asked again later', async () => {
    const { ring } = await stage();
    const auth = { kind: 'oidc', issuer: 'http://127.0.0.1:1', clientId: 'c' } as const;
    const panel = createConsole({ ring, auth, log: { debug() {}, info() {}, warn() {}, error() {} } });
    onTestFinished(() => panel.close());
    const answer = await panel.fetch(new Request('http://console.example/console/oidc/login'));
    expect(answer.headers.get('location')).toBe('/#/login-refused?why=provider');
  });
});

test.each([
  { story: 'an issuer without TLS', change: { issuer: 'http://id.example.com' }, field: 'auth.issuer' },
  { story: 'no client', change: { clientId: '' }, field: 'auth.clientId' },
  { story: 'an empty secret', change: { clientSecret: '' }, field: 'auth.clientSecret' },
  { story: 'a role that nobody knows', change: { role: 'king' }, field: 'auth.role' },
  { story: 'a mapping to no role', change: { roles: { boss: 'king' } }, field: 'auth.roles.boss' },
  { story: 'a logout that nobody knows', change: { logout: 'both' }, field: 'auth.logout' },
  { story: 'a logout to nowhere', change: { postLogoutRedirectUri: '/' }, field: 'auth.postLogoutRedirectUri' },
  { story: 'a redirect to nowhere', change: { redirectUri: '/callback' }, field: 'auth.redirectUri' },
])('$story is refused by name', async ({ change, field }) => {
  const { ring } = await consoleStage();
  const auth = { kind: 'oidc', issuer: 'https://id.example.com', clientId: 'c', ...change } as OidcAuth;
  expect(() => createConsole({ ring, auth })).toThrow(`${field} must be`);
});
