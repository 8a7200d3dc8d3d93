import type { MidgardState, PossiblePlan, ProtocolParameters, Shift } from '@horae/midgard-shift';

/** The transaction to submit, with its whole window and its signers. */
export function submissionText(plan: PossiblePlan, local: (at: number) => string): string {
  const { from, to } = plan.validity;
  const begin = from === null ? 'any time' : local(from);
  const end = to === null ? 'without an end' : `until ${local(to)}`;
  const signer = plan.requiredSigner === null ? 'unsigned' : `signed by ${plan.requiredSigner}`;
  return `${plan.redeemer} for ${plan.operator}, valid from ${begin} ${end}, ${signer}`;
}

/** How many transitions have to be made before the one that assigns `shift`. */
export function transitionsBefore({ scheduler }: MidgardState, shift: Shift, parameters: ProtocolParameters): number {
  const transitions = (shift.start - (scheduler?.shiftStart ?? shift.start)) / parameters.shiftDurationMs;
  return Math.max(0, transitions - 1);
}
