import { validateTransaction } from '@horae/midgard-shift';
import { checkedText } from '../documents/checked-document.js';
import { readInput } from '../documents/read-input.js';
import { defineCommand } from '../frame/define-command.js';
import { readState, stateArgument, stateNotes, transactionSchema } from './state-file.js';

const transactionNotes = `
TRANSACTION FILE

  redeemer: advance          # init, deinit, advance or rewind; this one is legal in the state above
  validity: { from: 1767258000000, to: 1767261600000 }
  schedulerOutput: { operator: ${'a'.repeat(56)}, shiftStart: 1767258000000 }
  signatories: [${'a'.repeat(56)}]
  referenceInputs: [{ list: active, key: ${'a'.repeat(56)} }]
`;

export const check = defineCommand({
  name: 'horae shift check',
  about: 'Whether a transaction is legal, and every rule that it breaks',
  args: {
    ...stateArgument,
    transaction: { type: 'positional', description: 'A JSON or YAML file, or -', required: true },
    rules: {
      type: 'enum',
      options: ['settled', 'literal'],
      default: 'settled',
      description: 'Which reading of the rules',
    },
  },
  examples: [
    { line: 'horae shift check state.json transaction.json', does: 'exit code 0 when it is legal, 1 when not' },
  ],
  notes: `${stateNotes}${transactionNotes}`,
  async run(args) {
    const { state, parameters } = await readState(args.state);
    const transaction = checkedText(await readInput(args.transaction), transactionSchema, args.transaction);
    const verdict = validateTransaction(state, transaction, parameters, { rules: args.rules as 'settled' | 'literal' });
    if (verdict.accepted) return { json: verdict, text: `legal: ${transaction.redeemer}` };
    const lines = verdict.violations.map(
      ({ rule, expected, found }) => `  ${rule}: expected ${expected}, found ${found}`,
    );
    return { json: verdict, text: [`not legal: ${transaction.redeemer}`, ...lines].join('\n'), exitCode: 1 };
  },
});
