import type { AlertRule } from '@horae/time-ring';

/** A place that messages go to, without its secrets. */
export interface ChannelView {
  readonly name: string;
  readonly kind: string;
  readonly target: string;
  readonly format: string | null;
  readonly isSigned: boolean;
}

/** What the options of the ring say about alerts. */
export interface AlertsView {
  readonly rules: readonly AlertRule[];
  readonly channels: readonly ChannelView[];
}
