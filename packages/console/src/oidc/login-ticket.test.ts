import { expect, test } from 'vitest';
import { openTicket, sealTicket } from './login-ticket.js';

const ticket = { state: 's', nonce: 'n', verifier: 'v', until: 100, to: 'runs?state=failed' };

test('a ticket opens again with the same key until it is over', () => {
  const sealed = sealTicket('key', ticket);
  expect(openTicket('key', sealed, 99)).toEqual(ticket);
  expect(openTicket('key', sealed, 100)).toBeNull();
  expect(openTicket('other key', sealed, 99)).toBeNull();
});

test.each([undefined, '', '.', 'a.b', `${sealTicket('key', ticket).split('.')[0]}.`])('%j is no ticket', (sealed) => {
  expect(openTicket('key', sealed, 0)).toBeNull();
});

test('a ticket with another state does not open', () => {
  const [, signature] = sealTicket('key', ticket).split('.');
  const text = Buffer.from(JSON.stringify({ ...ticket, state: 'planted' })).toString('base64url');
  expect(openTicket('key', `${text}.${signature}`, 0)).toBeNull();
});
