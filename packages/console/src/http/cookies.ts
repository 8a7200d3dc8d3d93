const NAME = 'horae_session';
const TICKET = 'horae_login';

/** The session in a request's cookies; undefined without one. */
export function sessionCookie(request: Request): string | undefined {
  return cookieOf(request, NAME);
}

/** The login ticket that a browser brings back from the provider. */
export function ticketCookie(request: Request): string | undefined {
  return cookieOf(request, TICKET);
}

function cookieOf(request: Request, name: string): string | undefined {
  const cookies = (request.headers.get('cookie') ?? '').split(';').map((cookie) => cookie.trim());
  return cookies.find((cookie) => cookie.startsWith(`${name}=`))?.slice(name.length + 1);
}

/** The same for the way to the provider and back, which is another site: the browser brings it along when it comes from there. */
export function setTicketCookie(sealed: string | null, { basePath, isSecure, maxAgeS }: CookieLife): string {
  const lives = sealed === null ? 0 : maxAgeS;
  const flags = `Path=${basePath}/console/oidc; HttpOnly; SameSite=Lax; Max-Age=${lives}`;
  return `${TICKET}=${sealed ?? ''}; ${flags}${isSecure ? '; Secure' : ''}`;
}

interface CookieLife {
  readonly basePath: string;
  readonly isSecure: boolean;
  readonly maxAgeS: number;
}

/** The header that sets a session, or with null removes it. No script can read it and no other site's page sends it. */
export function setSessionCookie(secret: string | null, { basePath, isSecure, maxAgeS }: CookieLife): string {
  const lives = secret === null ? 0 : maxAgeS;
  const flags = `Path=${basePath === '' ? '/' : basePath}; HttpOnly; SameSite=Strict; Max-Age=${lives}`;
  return `${NAME}=${secret ?? ''}; ${flags}${isSecure ? '; Secure' : ''}`;
}

/** Whether the browser came by TLS, to this server or to the proxy in front of it. */
export function isByTls(request: Request): boolean {
  const forwarded = request.headers.get('x-forwarded-proto')?.split(',')[0]?.trim().toLowerCase();
  return new URL(request.url).protocol === 'https:' || forwarded === 'https';
}
