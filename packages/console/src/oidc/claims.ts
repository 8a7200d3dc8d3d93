import type { OidcAuth } from '../access/console-options.js';
import { type Grant, type Role, roles } from '../wire/accounts.js';

/** What a provider says about somebody. */
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

/** Whether everything is there that the options look for, so that nobody else has to be asked. */
export function hasAllClaims(claims: Claims, { nameClaim, roleClaim, groupsClaim }: OidcAuth): boolean {
  const wanted = [nameClaim ?? 'preferred_username', roleClaim, groupsClaim];
  return wanted.every((name) => name === undefined || claimOf(claims, name) !== undefined);
}

/** How somebody is called here: by the claim that the options name, or else by the address or the id at the provider. */
export function nameOf(claims: Claims, { nameClaim = 'preferred_username' }: OidcAuth): string {
  const given = [claimOf(claims, nameClaim), claims.email, claims.sub];
  const name = given.find((one): one is string => typeof one === 'string' && one.trim() !== '');
  return (name ?? '').trim().slice(0, MAX_NAME);
}

/** What somebody may; null: nothing at all. Of several roles the highest counts, and a claim for groups that is missing gives none. */
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
