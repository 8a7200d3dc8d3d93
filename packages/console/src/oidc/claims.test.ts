import { expect, test } from 'vitest';
import type { OidcAuth } from '../access/console-options.js';
import { grantOf, hasAllClaims, nameOf } from './claims.js';

const auth: OidcAuth = { kind: 'oidc', issuer: 'https://id.example', clientId: 'c' };
const mapped = { roleClaim: 'realm.roles', roles: { staff: 'operator', boss: 'admin' } } as const;

test.each([
  { story: 'a viewer of everything without any options', options: {}, claims: {}, grant: ['viewer', null] },
  { story: 'what the options say', options: { role: 'editor' }, claims: {}, grant: ['editor', null] },
  { story: 'the role of the claim', options: { roleClaim: 'r' }, claims: { r: 'Operator' }, grant: ['operator', null] },
  {
    story: 'the highest of several',
    options: { roleClaim: 'r' },
    claims: { r: ['admin', 'viewer'] },
    grant: ['admin', null],
  },
  {
    story: 'a role by its own name',
    options: mapped,
    claims: { realm: { roles: ['x', 'boss'] } },
    grant: ['admin', null],
  },
  {
    story: 'no role that is not mapped',
    options: mapped,
    claims: { realm: { roles: ['admin'] } },
    grant: ['viewer', null],
  },
  {
    story: 'nothing without a role',
    options: { ...mapped, role: null },
    claims: { realm: { roles: ['x'] } },
    grant: null,
  },
  { story: 'its groups', options: { groupsClaim: 'g' }, claims: { g: ['a', 'b'] }, grant: ['viewer', ['a', 'b']] },
  { story: 'groups with commas', options: { groupsClaim: 'g' }, claims: { g: 'a, b' }, grant: ['viewer', ['a', 'b']] },
  { story: 'no group without the claim', options: { groupsClaim: 'g' }, claims: {}, grant: ['viewer', []] },
  {
    story: 'no role of the prototype',
    options: { roleClaim: 'constructor.name' },
    claims: {},
    grant: ['viewer', null],
  },
])('somebody gets $story', ({ options, claims, grant }) => {
  const found = grantOf(claims, { ...auth, ...options } as OidcAuth);
  expect(found === null ? null : [found.role, found.groups]).toEqual(grant);
});

test('a name is the claim, the address or the id, never longer than a column', () => {
  expect(nameOf({ preferred_username: 'ada', email: 'a@b', sub: '1' }, auth)).toBe('ada');
  expect(nameOf({ preferred_username: ' ', email: 'a@b', sub: '1' }, auth)).toBe('a@b');
  expect(nameOf({ nick: 'x', sub: '1' }, { ...auth, nameClaim: 'nick' })).toBe('x');
  expect(nameOf({ sub: '1'.repeat(300) }, auth)).toHaveLength(190);
});

test('the provider is asked for more only when a claim is missing', () => {
  expect(hasAllClaims({ preferred_username: 'a' }, auth)).toBe(true);
  expect(hasAllClaims({ preferred_username: 'a' }, { ...auth, groupsClaim: 'g' })).toBe(false);
});
