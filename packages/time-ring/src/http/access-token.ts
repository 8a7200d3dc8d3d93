import { createHash, timingSafeEqual } from 'node:crypto';

/** Whether a value is the token. */
export type TokenCheck = (given: string | undefined) => boolean;

/** Creates a check that takes the same time for every wrong token, whatever its length and however much of it is correct. */
export function createTokenCheck(accessToken: string | undefined): TokenCheck {
  if (accessToken === undefined) return () => true;
  const wanted = digest(accessToken);
  return (given) => timingSafeEqual(digest(given ?? ''), wanted);
}

/** The token of an `Authorization: Bearer …` header. */
export function bearerToken(header: string | undefined): string | undefined {
  return header === undefined ? undefined : /^bearer +(.+)$/i.exec(header)?.[1];
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
