import { createHash } from 'node:crypto';
import type { MiddlewareHandler } from 'hono';
import { getCookie, setCookie } from 'hono/cookie';
import { sameText } from './same-text.js';

const COOKIE = 'horae-demo';

/**
 * Admits only requests with the token: a program sends it as `Authorization: Bearer`, a person opens the page once with `?token=…`, and the
 * browser remembers it in a cookie that no script can read.
 */
export function askForToken(token: string): MiddlewareHandler {
  // The cookie proves knowledge of the token without containing it.
  const proof = createHash('sha256').update(`horae-demo:${token}`).digest('hex');
  return async (context, next) => {
    const bearer = /^bearer +(.+)$/i.exec(context.req.header('authorization') ?? '')?.[1];
    if (sameText(getCookie(context, COOKIE) ?? '', proof) || sameText(bearer ?? '', token)) return next();
    if (context.req.method === 'GET' && sameText(context.req.query('token') ?? '', token)) {
      setCookie(context, COOKIE, proof, { httpOnly: true, sameSite: 'Lax', path: '/' });
      return context.redirect(context.req.path);
    }
    const message =
      'This server needs its token: open the page once with ?token=…, or send it as Authorization: Bearer.';
    return context.json({ error: { code: 'token-needed', message } }, 401);
  };
}
