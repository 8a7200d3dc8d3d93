import { HoraeError } from '@horae/clock-store';

/** The kinds of failure of a provider. */
export type ChainProviderCode =
  /** No usable answer after all tries; a submitted transaction may have arrived. */
  | 'provider-unreachable'
  /** The service, or the node behind it, refused the request. */
  | 'provider-refused'
  /** The answer does not match the service's documentation, or the lists in it are broken. */
  | 'provider-answer'
  /** The chain kept moving while it was read. */
  | 'provider-moving';

/** A provider failed. Neither message nor details contain addresses of servers, tokens or other secrets. */
export class ChainProviderError extends HoraeError<{ provider: string; status?: number }> {
  readonly code: ChainProviderCode;

  constructor(code: ChainProviderCode, message: string, details: { provider: string; status?: number }) {
    super(`${details.provider}: ${message}`, details);
    this.code = code;
  }
}
