const NAME = 'horae_session';

/** The session in a request's cookies; undefined without one. */
export function sessionCookie(request: Request): string | undefined {
  const cookies = (request.headers.get('cookie') ?? '').split(';').map((cookie) => cookie.trim());
  return cookies.find((cookie) => cookie.startsWith(`${NAME}=`))?.slice(NAME.length + 1);
}

/** The header that gives a session, or with null takes it away. No script sees it and no other site's page sends it. */
export function setSessionCookie(
  secret: string | null,
  { basePath, isSecure, maxAgeS }: { basePath: string; isSecure: boolean; maxAgeS: number },
): string {
  const lives = secret === null ? 0 : maxAgeS;
  const flags = `Path=${basePath === '' ? '/' : basePath}; HttpOnly; SameSite=Strict; Max-Age=${lives}`;
  return `${NAME}=${secret ?? ''}; ${flags}${isSecure ? '; Secure' : ''}`;
}

/** Whether the browser came by TLS, to this server or to the proxy in front of it. */
export function isByTls(request: Request): boolean {
  const forwarded = request.headers.get('x-forwarded-proto')?.split(',')[0]?.trim().toLowerCase();
  return new URL(request.url).protocol === 'https:' || forwarded === 'https';
}
