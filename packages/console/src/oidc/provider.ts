import type { Configuration } from 'openid-client';
import type { OidcAuth } from '../access/console-options.js';
import { createSecret } from '../accounts/secrets.js';
import { type Claims, hasAllClaims } from './claims.js';
import type { LoginTicket } from './login-ticket.js';

/** The provider that identifies users. */
export interface Provider {
  /** The address that a browser is sent to, and what it has to bring back. */
  begin(redirectUri: string): Promise<{ address: URL; secrets: Pick<LoginTicket, 'state' | 'nonce' | 'verifier'> }>;
  /** The provider's data about the user that comes back with this address. Throws when anything does not match. */
  finish(callback: URL, secrets: Pick<LoginTicket, 'state' | 'nonce' | 'verifier'>): Promise<Known>;
  /** Where a browser logs out at the provider and is sent back from; null where the provider has no such place. */
  end(idToken: string | null, backTo: string): Promise<URL | null>;
}

/** A user of the provider. */
export interface Known {
  readonly claims: Claims;
  /** The token that the provider requires at the logout; null for one that is too long for an address. */
  readonly idToken: string | null;
}

const ASK_LIMIT_S = 10;
/** Clocks of two machines are never quite the same. */
const CLOCK_TOLERANCE_S = 30;
const METHOD = 'S256';
/** Servers take addresses of 8 kB. */
const MAX_HINT = 6_000;

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
      const idToken = tokens.id_token !== undefined && tokens.id_token.length <= MAX_HINT ? tokens.id_token : null;
      if (hasAllClaims(claims, auth) || config.serverMetadata().userinfo_endpoint === undefined)
        return { claims, idToken };
      // Many providers put no more than an id into the token.
      return { claims: { ...(await fetchUserInfo(config, tokens.access_token, claims.sub)), ...claims }, idToken };
    },
    async end(idToken, backTo) {
      const { buildEndSessionUrl } = await import('openid-client');
      const config = await configuration();
      if (config.serverMetadata().end_session_endpoint === undefined) return null;
      const hint: Record<string, string> = idToken === null ? {} : { id_token_hint: idToken };
      return buildEndSessionUrl(config, { ...hint, post_logout_redirect_uri: backTo });
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
