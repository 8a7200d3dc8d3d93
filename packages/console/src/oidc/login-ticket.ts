import { isSameText, signed } from '../accounts/secrets.js';

/** The data that a browser keeps between leaving for the provider and coming back. */
export interface LoginTicket {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** When it is over. */
  readonly until: number;
  /** The page to come back to. */
  readonly to: string;
}

/** How long a login at the provider may take. */
export const TICKET_MS = 600_000;

const PURPOSE = 'login ticket ';

/** A ticket as a cookie's value. Every process with the same database can read it, and only those can make one. */
export function sealTicket(key: string, ticket: LoginTicket): string {
  const text = Buffer.from(JSON.stringify(ticket)).toString('base64url');
  return `${text}.${signed(key, PURPOSE + text)}`;
}

/** Null for one that is over or that was not made here. */
export function openTicket(key: string, sealed: string | undefined, now: number): LoginTicket | null {
  const [text = '', signature = ''] = (sealed ?? '').split('.');
  if (!isSameText(signature, signed(key, PURPOSE + text))) return null;
  const ticket = JSON.parse(Buffer.from(text, 'base64url').toString()) as LoginTicket;
  return now < ticket.until ? ticket : null;
}
