/**
 * Something a keeper did or observed: `polled` the state was read, `submitted` a transaction was submitted, `included` the state shows it,
 * `refused` the chain refused a transaction or an activation, `failed` a call failed or timed out, `rolled-back` the state shows an earlier
 * shift again, `activated` an activation was accepted.
 */
export interface KeeperEvent {
  readonly kind: 'polled' | 'submitted' | 'included' | 'refused' | 'failed' | 'rolled-back' | 'activated';
  readonly at: number;
}

/** How often each event of a keeper happened since it was started. */
export interface KeeperMetrics {
  readonly polls: number;
  /** Submitted transactions, whatever their outcome. */
  readonly submissions: number;
  readonly refusals: number;
  readonly failures: number;
  readonly rollbacks: number;
  readonly activations: number;
}

const counted = {
  polled: 'polls',
  submitted: 'submissions',
  refused: 'refusals',
  failed: 'failures',
  'rolled-back': 'rollbacks',
  activated: 'activations',
} as const;

/** The listeners of a keeper. Their errors do not reach the keeper: a fault in a log must not cost a shift. */
export interface KeeperListeners {
  onEvent?(event: KeeperEvent): void;
  onFailure?(error: unknown): void;
}

/** Counts events and passes them on. */
export class KeeperRecord {
  readonly #counts = { polls: 0, submissions: 0, refusals: 0, failures: 0, rollbacks: 0, activations: 0 };
  readonly #listeners: KeeperListeners;

  constructor(listeners: KeeperListeners) {
    this.#listeners = listeners;
  }

  add(kind: KeeperEvent['kind'], at: number): void {
    if (kind !== 'included') this.#counts[counted[kind]] += 1;
    try {
      this.#listeners.onEvent?.({ kind, at });
    } catch (error) {
      this.report(error);
    }
  }

  /** Reports an error; an error of `onFailure` itself is dropped. */
  report(error: unknown): void {
    try {
      this.#listeners.onFailure?.(error);
    } catch {}
  }

  metrics(): KeeperMetrics {
    return { ...this.#counts };
  }
}
