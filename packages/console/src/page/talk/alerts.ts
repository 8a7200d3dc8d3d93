import type { AlertRule } from '@horae/time-ring';

/** A place that messages go to, without its secrets. */
export interface ChannelView {
  readonly name: string;
  readonly kind: string;
  readonly target: string;
  readonly format: string | null;
  readonly isSigned: boolean;
}

/** The ring's options for alerts. */
export interface AlertsView {
  readonly rules: readonly AlertRule[];
  readonly channels: readonly ChannelView[];
}
