import { checkedInteger, refuse } from '../../state/midgard-input-error.js';

/** The protocol parameters of the chain that decide fees and limits, as a node reports them. */
export interface ChainProtocol {
  readonly minFeeA: number;
  readonly minFeeB: number;
  readonly coinsPerUtxoByte: number;
  readonly priceMemory: number;
  readonly priceSteps: number;
  readonly maxTxSize: number;
  readonly maxTxMemory: number;
  readonly maxTxSteps: number;
  readonly collateralPercentage: number;
  readonly maxCollateralInputs: number;
  readonly refScriptCostPerByte: number;
  readonly costModels: { readonly PlutusV3: readonly number[] };
}

/** The memory and steps that a script may use. */
export interface ExecutionUnits {
  readonly memory: number;
  readonly steps: number;
}

const whole = [
  'minFeeA',
  'minFeeB',
  'coinsPerUtxoByte',
  'maxTxSize',
  'maxTxMemory',
  'maxTxSteps',
  'collateralPercentage',
  'maxCollateralInputs',
] as const;
const fractional = ['priceMemory', 'priceSteps', 'refScriptCostPerByte'] as const;

/** Refuses parameters that are incomplete, and execution units beyond what a transaction may use. */
export function checkProtocol(protocol: ChainProtocol, { memory, steps }: ExecutionUnits): void {
  for (const name of whole) checkedInteger(`protocol.${name}`, protocol[name], 0);
  for (const name of fractional)
    if (!(Number.isFinite(protocol[name]) && protocol[name] >= 0))
      refuse(`protocol.${name}`, 'a number, 0 or more', protocol[name]);
  const { PlutusV3 } = protocol.costModels ?? {};
  if (!Array.isArray(PlutusV3) || PlutusV3.length === 0 || !PlutusV3.every(Number.isSafeInteger))
    refuse('protocol.costModels.PlutusV3', 'a list of whole numbers', PlutusV3);
  const [mostMemory, mostSteps] = [protocol.maxTxMemory, protocol.maxTxSteps];
  if (checkedInteger('executionUnits.memory', memory, 0) > mostMemory)
    refuse('executionUnits.memory', `${mostMemory} or less, the limit of a transaction`, memory);
  if (checkedInteger('executionUnits.steps', steps, 0) > mostSteps)
    refuse('executionUnits.steps', `${mostSteps} or less, the limit of a transaction`, steps);
}

/** A decimal number as a fraction of whole ones: prices are rational on the chain, and a double would round the fee. */
export function fractionOf(value: number): { readonly numerator: bigint; readonly denominator: bigint } {
  const [digits = '0', exponent = '0'] = String(value).split('e');
  const [integer = '0', decimals = ''] = digits.split('.');
  const power = decimals.length - Number(exponent);
  const numerator = BigInt(integer + decimals);
  return power >= 0
    ? { numerator, denominator: 10n ** BigInt(power) }
    : { numerator: numerator * 10n ** BigInt(-power), denominator: 1n };
}

/** `part` of `whole` per cent, or a share of any other denominator, rounded up. */
export function ceilShare(whole: bigint, numerator: bigint, denominator: bigint): bigint {
  return (whole * numerator + denominator - 1n) / denominator;
}
