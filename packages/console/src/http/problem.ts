/** A request that is refused: the answer has the status, and the code and message as JSON. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
    readonly headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
  }
}

/** A JSON answer that no cache keeps. */
export function jsonResponse(body: unknown, status = 200, headers: Readonly<Record<string, string>> = {}): Response {
  const all = { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store', ...headers };
  return new Response(JSON.stringify(body), { status, headers: all });
}

/** The answer to a request that is refused. */
export function problemResponse({ status, code, message, headers }: Problem): Response {
  return jsonResponse({ error: { code, message } }, status, headers);
}
