/** First event of every stream: the server's identity, and the token that changing requests have to carry. */
export interface Hello {
  readonly serverId: string;
  readonly token: string;
  readonly now: number;
  readonly zone: string;
  readonly node: string;
  /** `standby`: another process runs the tasks of this database file. */
  readonly role: 'first' | 'standby';
}

/** The answer to a refused request. */
export interface Refusal {
  readonly error: { readonly code: string; readonly message: string };
}

/** The header that carries the token. */
export const tokenHeader = 'x-horae-token';
