import { isIPv4, isIPv6 } from 'node:net';

/** Whether a name or an address reaches only this machine. A name is judged by its text, never looked up. */
export function isLoopback(host: string): boolean {
  const name = host.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  if (name === 'localhost' || name === 'localhost.' || name.endsWith('.localhost')) return true;
  if (isIPv4(name)) return name.startsWith('127.');
  return isIPv6(name) && (/^(0*:)*0*:?0*1$/.test(name) || /^::ffff:127\./.test(name));
}

/** The same for a `Host` header, whose port does not matter. */
export function isLoopbackHostHeader(header: string | undefined): boolean {
  return header !== undefined && isLoopback(hostNameOf(header));
}

/** The name in a `Host` header, in lower case, without its port. */
export function hostNameOf(header: string): string {
  return header.replace(/:\d{1,5}$/, '').toLowerCase();
}

/** Whether an `Origin` header names a page of another origin: a browser sends the header, an executor does not. */
export function isForeignOrigin(origin: string | undefined): boolean {
  if (origin === undefined) return false;
  return !URL.canParse(origin) || !isLoopback(new URL(origin).hostname);
}
