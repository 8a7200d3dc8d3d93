import type { OidcAuth } from '../access/console-options.js';
import { type Grant, type Role, roles } from '../wire/accounts.js';

/** A provider's claims about a user. */
export type Claims = Readonly<Record<string, unknown>>;

const MAX_NAME = 190;

/** A claim by its name, or by a path such as `realm_access.roles`. */
function claimOf(claims: Claims, name: string): unknown {
  if (Object.hasOwn(claims, name)) return claims[name];
  return name
    .split('.')
    .reduce<unknown>(
      (inner, key) =>
        typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key)
          ? (inner as Record<string, unknown>)[key]
          : undefined,
      claims,
    );
}

/** The texts of a claim that is one text, a list of them, or several with commas between them. */
function textsOf(claim: unknown): string[] {
  const given = Array.isArray(claim) ? claim : typeof claim === 'string' ? claim.split(',') : [];
  return given.filter((one) => typeof one === 'string').map((one) => one.trim());
}

/** Whether all claims are present that the options name, so that no further request is needed. */
export function hasAllClaims(claims: Claims, { nameClaim, roleClaim, groupsClaim }: OidcAuth): boolean {
  const wanted = [nameClaim ?? 'preferred_username', roleClaim, groupsClaim];
  return wanted.every((name) => name === undefined || claimOf(claims, name) !== undefined);
}

/** The name of a user: the claim that the options name, or else the address or the id at the provider. */
export function nameOf(claims: Claims, { nameClaim = 'preferred_username' }: OidcAuth): string {
  const given = [claimOf(claims, nameClaim), claims.email, claims.sub];
  const name = given.find((one): one is string => typeof one === 'string' && one.trim() !== '');
  return (name ?? '').trim().slice(0, MAX_NAME);
}

/** The grant of a user; null: no access. Of several roles the highest counts, and a missing claim for groups grants none. */
export function grantOf(claims: Claims, auth: OidcAuth): Grant | null {
  const said = auth.roleClaim === undefined ? [] : textsOf(claimOf(claims, auth.roleClaim));
  const found = said.map((text) => roleFor(text, auth.roles)).filter((role) => role !== undefined);
  const highest = roles.findLast((role) => found.includes(role));
  const role = highest ?? (auth.role === undefined ? 'viewer' : auth.role);
  if (role === null) return null;
  const groups = auth.groupsClaim === undefined ? null : textsOf(claimOf(claims, auth.groupsClaim));
  return { role, groups: groups?.filter((group) => group !== '') ?? null };
}

function roleFor(text: string, names: OidcAuth['roles']): Role | undefined {
  if (names === undefined) return roles.find((role) => role === text.toLowerCase());
  return Object.hasOwn(names, text) ? names[text] : undefined;
}
