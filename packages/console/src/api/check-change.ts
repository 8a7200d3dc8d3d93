import { isReading } from '../access/route-rules.js';
import { isSameText } from '../accounts/secrets.js';
import { Problem } from '../http/problem.js';
import { CSRF_HEADER } from '../wire/accounts.js';
import type { Asked, Caller, Desk } from './desk.js';

/** Refuses a change that a page of another site may have sent, and every change of a read-only console. */
export function checkChange({ options }: Desk, { request, method }: Asked, caller: Caller): void {
  if (isReading(method)) return;
  if (options.isReadOnly) throw new Problem(403, 'read-only', 'This console only shows: it was started with readOnly');
  if (caller.csrf === null) return;
  checkSite(request);
  if (!isSameText(request.headers.get(CSRF_HEADER) ?? '', caller.csrf))
    throw new Problem(
      403,
      'bad-csrf-token',
      `The header ${CSRF_HEADER} does not have this session's token: load the page again`,
    );
}

/** Refuses requests that, by the browser's headers, another site's page has sent. */
export function checkSite(request: Request): void {
  const site = request.headers.get('sec-fetch-site');
  if (site !== null && site !== 'same-origin' && site !== 'none')
    throw new Problem(403, 'foreign-site', 'A page of another site must not send this');
}
