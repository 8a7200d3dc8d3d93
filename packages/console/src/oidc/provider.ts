import type { Configuration } from 'openid-client';
import type { OidcAuth } from '../access/console-options.js';
import { createSecret } from '../accounts/secrets.js';
import { type Claims, hasAllClaims } from './claims.js';
import type { LoginTicket } from './login-ticket.js';

/** The provider that knows who people are. */
export interface Provider {
  /** The address that a browser is sent to, and what it has to bring back. */
  begin(redirectUri: string): Promise<{ address: URL; secrets: Pick<LoginTicket, 'state' | 'nonce' | 'verifier'> }>;
  /** What the provider says about whoever comes back with this address. Throws when anything does not fit. */
  finish(callback: URL, secrets: Pick<LoginTicket, 'state' | 'nonce' | 'verifier'>): Promise<Claims>;
}

const ASK_LIMIT_S = 10;
/** Clocks of two machines are never quite the same. */
const CLOCK_TOLERANCE_S = 30;
const METHOD = 'S256';

/** Authorization code flow with PKCE. The provider is looked up at the first login, and again if that failed. */
export function createProvider(auth: OidcAuth): Provider {
  let looking: Promise<Configuration> | undefined;
  const configuration = () => {
    looking ??= lookUp(auth);
    looking.catch(() => (looking = undefined));
    return looking;
  };
  return {
    async begin(redirectUri) {
      const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await import('openid-client');
      const secrets = { state: createSecret(), nonce: createSecret(), verifier: createSecret() };
      const address = buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        scope: auth.scope ?? 'openid profile email',
        state: secrets.state,
        nonce: secrets.nonce,
        code_challenge: await calculatePKCECodeChallenge(secrets.verifier),
        code_challenge_method: METHOD,
      });
      return { address, secrets };
    },
    async finish(callback, { state, nonce, verifier }) {
      const { authorizationCodeGrant, fetchUserInfo } = await import('openid-client');
      const config = await configuration();
      const tokens = await authorizationCodeGrant(config, callback, {
        ...{ expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true },
      });
      const claims = tokens.claims()!;
      if (hasAllClaims(claims, auth) || config.serverMetadata().userinfo_endpoint === undefined) return claims;
      // Many providers put no more than an id into the token.
      return { ...(await fetchUserInfo(config, tokens.access_token, claims.sub)), ...claims };
    },
  };
}

async function lookUp({ issuer, clientId, clientSecret }: OidcAuth): Promise<Configuration> {
  const { allowInsecureRequests, ClientSecretBasic, clockTolerance, discovery, None } = await import('openid-client');
  const url = new URL(issuer);
  const authentication = clientSecret === undefined ? None() : ClientSecretBasic(clientSecret);
  return discovery(url, clientId, { [clockTolerance]: CLOCK_TOLERANCE_S }, authentication, {
    timeout: ASK_LIMIT_S,
    // Only loopback gets past the check of the options.
    execute: url.protocol === 'http:' ? [allowInsecureRequests] : [],
  });
}
