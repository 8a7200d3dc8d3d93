import type { Edition } from '@horae/midgard-shift';
import { readInput } from '../documents/read-input.js';
import { CommandInputError } from '../frame/command-errors.js';
import { defineCommand } from '../frame/define-command.js';
import { chainValue, valueArguments, valueNotes } from './chain-values.js';

export const encode = defineCommand({
  name: 'horae shift encode',
  about: 'A datum or redeemer as Plutus Data CBOR in hex',
  args: { ...valueArguments, value: { ...valueArguments.value, description: 'JSON, or - for standard input' } },
  examples: [
    {
      line: `horae shift encode redeemer '{"type":"advance","inputIndex":0,"outputIndex":0,"activeNodeIndex":1}' --edition 2026-05`,
      does: 'the redeemer of an advance',
    },
    { line: `horae shift encode mint '"init"'`, does: 'the redeemer of the minting policy' },
  ],
  notes: valueNotes,
  async run(args) {
    const kind = chainValue(args.kind);
    const text = args.value === '-' ? await readInput('-') : args.value;
    const bytes = kind.encode(parsed(text), args.edition as Edition | undefined);
    const hex = Buffer.from(bytes).toString('hex');
    return { json: { kind: args.kind, hex }, text: hex };
  },
});

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const hint = 'put it in single quotes, so that the shell leaves the double ones';
    throw new CommandInputError(`this is no JSON: ${text.slice(0, 80)}`, { hint });
  }
}
