export interface Operator {
  readonly name: string;
  readonly key: string;
}

export interface ShiftView {
  readonly operator: string;
  readonly start: number;
  readonly end: number;
}

export interface ChainRecord {
  readonly id: number;
  readonly at: number;
  readonly what: string;
  readonly by: string;
  readonly accepted: boolean;
  readonly violations: readonly { readonly rule: string; readonly expected: string; readonly found: string }[];
}

export interface ShiftsSnapshot {
  readonly now: number;
  readonly shiftMs: number;
  readonly registrationMs: number;
  readonly autopilot: boolean;
  /** Ascending by key; turns go down. */
  readonly active: readonly (Operator & { readonly next: ShiftView | null })[];
  readonly registered: readonly (Operator & { readonly activationTime: number })[];
  readonly retired: readonly Operator[];
  readonly current: ShiftView | null;
  readonly timetable: readonly ShiftView[];
  /** The next transaction to submit and its submitter, in words. */
  readonly plan: { readonly possible: boolean; readonly redeemer: 'advance' | 'rewind' | null; readonly text: string };
  readonly history: readonly ChainRecord[];
}

export type LifecycleStep = 'register' | 'activate' | 'deregister' | 'retire';
