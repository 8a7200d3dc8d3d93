import type { Phase } from './pending-rewrite.js';

/**
 * The phases of a batch before it was reserved, for restoring them. Nearly always they are all the same, and then nothing but the first one
 * is kept: a list as long as the batch would be read only when something is wrong.
 */
export class PhaseList {
  private usual: Phase = 'matched';
  private others: Map<number, Phase> | undefined;

  /** Notes the phase at a position; the first call is for position 0. */
  note(at: number, phase: Phase): void {
    if (at === 0) this.usual = phase;
    if (phase === this.usual) return;
    this.others ??= new Map();
    this.others.set(at, phase);
  }

  at(position: number): Phase {
    return this.others?.get(position) ?? this.usual;
  }
}
