import type { Edition } from '@horae/midgard-shift';
import { readInput } from '../documents/read-input.js';
import { CommandInputError } from '../frame/command-errors.js';
import { defineCommand } from '../frame/define-command.js';
import { plainJson } from '../output/plain-json.js';
import { chainValue, valueArguments, valueNotes } from './chain-values.js';

export const decode = defineCommand({
  name: 'horae shift decode',
  about: 'What a datum or redeemer says, from its CBOR in hex',
  args: { ...valueArguments, value: { ...valueArguments.value, description: 'Hex, or - for standard input' } },
  examples: [
    { line: 'horae shift decode redeemer d8799f000001ff --edition 2026-05', does: 'an advance, index by index' },
    { line: 'horae shift decode mint d87a80', does: 'init or deinit?' },
  ],
  notes: valueNotes,
  async run(args) {
    const kind = chainValue(args.kind);
    const hex = (args.value === '-' ? await readInput('-') : args.value).trim();
    if (!/^([0-9a-fA-F]{2})+$/.test(hex))
      throw new CommandInputError(`this is no hex: ${hex.slice(0, 80)}`, { hint: 'two hex digits for each byte' });
    const value = kind.decode(Uint8Array.from(Buffer.from(hex, 'hex')), args.edition as Edition | undefined);
    return { json: value, text: plainJson(value, 2) };
  },
});
