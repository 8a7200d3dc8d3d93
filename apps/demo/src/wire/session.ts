/** First event of every stream: who the server is, and the token that requests which change something have to carry. */
export interface Hello {
  readonly serverId: string;
  readonly token: string;
  readonly now: number;
  readonly zone: string;
  readonly node: string;
  /** `standby`: another process runs the tasks of this database file. */
  readonly role: 'first' | 'standby';
}

/** What a refused request answers with. */
export interface Refusal {
  readonly error: { readonly code: string; readonly message: string };
}

/** The header that carries the token. */
export const tokenHeader = 'x-horae-token';
