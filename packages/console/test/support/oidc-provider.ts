import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
// @ts-expect-error: it brings no types.
import Provider from 'oidc-provider';
import { onTestFinished } from 'vitest';

export const CLIENT = { clientId: 'console', clientSecret: 'a secret of the client' };

/** A real provider on a port of its own, under a name that is another site than the console's. */
export interface TestProvider {
  readonly issuer: string;
  /** The console may send people back to these. */
  allow(...redirectUris: string[]): void;
  /** Where the console sends people from the logout. */
  readonly endpoint: string;
}

const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const signingKey = { ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256', kid: 'test' };

type Account = Readonly<Record<string, unknown>>;

/** People log in by their name alone; what they may is in `people`. */
export async function startProvider(
  people: Readonly<Record<string, Account>>,
  { hasLogout = true }: { hasLogout?: boolean } = {},
): Promise<TestProvider> {
  let handler: (request: IncomingMessage, response: ServerResponse) => unknown = () => {};
  const server = createServer((request, response) => void handler(request, response));
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const issuer = `http://localhost:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    endpoint: `${issuer}/session/end`,
    allow(...redirectUris) {
      handler = answering(new Provider(issuer, configuration(people, redirectUris, hasLogout)), people);
    },
  };
}

function configuration(
  people: Readonly<Record<string, Account>>,
  redirectUris: readonly string[],
  hasLogout: boolean,
): object {
  return {
    clients: [
      {
        ...{ client_id: CLIENT.clientId, client_secret: CLIENT.clientSecret, redirect_uris: redirectUris },
        post_logout_redirect_uris: redirectUris.map((uri) => uri.replace('/console/oidc/callback', '/')),
      },
    ],
    claims: { openid: ['sub'], profile: ['preferred_username', 'job_role', 'job_groups'], email: ['email'] },
    cookies: { keys: ['a key of the test'] },
    jwks: { keys: [signingKey] },
    ttl: { AccessToken: 600, AuthorizationCode: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
    features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: hasLogout, logoutSource } },
    interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
    pkce: { required: () => true },
    findAccount: (_context: unknown, id: string) => ({ accountId: id, claims: () => ({ sub: id, ...people[id] }) }),
    // Nobody is asked for consent.
    async loadExistingGrant({
      oidc,
    }: {
      oidc: Record<string, Record<string, string>> & { provider: typeof Provider };
    }) {
      const { clientId } = oidc.client!;
      const grant = new oidc.provider.Grant({ clientId, accountId: oidc.session!.accountId });
      grant.addOIDCScope('openid profile email');
      await grant.save();
      return grant;
    },
  };
}

/** The provider's own page asks other machines for fonts. */
function logoutSource(context: { body: string }, form: string): void {
  const button = '<button form="op.logoutForm" name="logout" value="yes">Yes, sign me out</button>';
  context.body = `<!doctype html><html lang="en"><title>Provider</title>${form}${button}</html>`;
}

function answering(provider: typeof Provider, people: Readonly<Record<string, Account>>) {
  const callback = provider.callback();
  return async (request: IncomingMessage, response: ServerResponse) => {
    if (!request.url?.startsWith('/interaction/')) return callback(request, response);
    if (request.method === 'POST') {
      const login = new URLSearchParams(Buffer.concat(await request.toArray()).toString()).get('login') ?? '';
      const result = Object.hasOwn(people, login)
        ? { login: { accountId: login } }
        : { error: 'access_denied', error_description: 'nobody of this name' };
      return provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
    }
    response.setHeader('content-type', 'text/html');
    response.end(
      '<!doctype html><html lang="en"><title>Provider</title><form method="post"><label>Login <input name="login"></label><button>Go</button></form></html>',
    );
  };
}
