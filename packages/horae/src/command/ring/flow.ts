import type { Flow, FlowState } from '@horae/time-ring';
import { wholeNumber } from '../arguments/number-argument.js';
import { defineCommand, defineGroup } from '../frame/define-command.js';
import { textTable } from '../output/text-table.js';
import { idOf, ringArguments, withRingClient } from './with-ring-client.js';

const flowId = { type: 'positional', description: 'The number of the flow', required: true } as const;

const start = defineCommand({
  name: 'horae ring flow start',
  about: 'Start the flow of a file, YAML or JSON',
  args: {
    file: { type: 'positional', description: 'The file, "-" for standard input', required: true },
    ...ringArguments,
  },
  examples: [{ line: 'horae ring flow start import.yaml --url http://127.0.0.1:7070', does: 'prints the new flow' }],
  notes:
    'The file: { name: import, steps: { fetch: { job: fetch }, load: { job: load, after: [fetch], params: { from: fetch } } } }',
  async run(args) {
    const { readFlowFile } = await import('./flow-file.js');
    const flow = await readFlowFile(args.file);
    const started = await withRingClient(args, (client) => client.startFlow(flow));
    return {
      json: started,
      text: `flow ${started.id} of ${Object.keys(started.steps).length} steps is ${started.state}`,
    };
  },
});

const list = defineCommand({
  name: 'horae ring flow list',
  about: 'The flows of a ring, newest first',
  args: {
    ...ringArguments,
    state: {
      type: 'enum',
      options: ['running', 'succeeded', 'failed', 'killed'],
      description: 'Only flows in this state',
    },
    name: { type: 'string', description: 'Only flows of this name', valueHint: 'text' },
    count: { type: 'string', alias: 'n', description: 'At most so many, 100 by default', valueHint: 'number' },
    cursor: { type: 'string', description: 'Go on where an earlier list ended', valueHint: 'text' },
  },
  examples: [{ line: 'horae ring flow list --database sqlite:./ring.db --state failed', does: 'what failed' }],
  async run(args) {
    const limit = wholeNumber('--count', args.count, { fallback: 100, least: 1, most: 1000 });
    const filter = {
      limit,
      ...(args.state === undefined ? {} : { state: args.state as FlowState }),
      ...(args.name === undefined ? {} : { name: args.name }),
      ...(args.cursor === undefined ? {} : { cursor: args.cursor }),
    };
    const page = await withRingClient(args, (client) => client.flows(filter), { isReading: true });
    const more = page.cursor === null ? '' : `\nmore with --cursor ${page.cursor}`;
    return { json: page, text: page.flows.length === 0 ? 'no flows' : `${textTable(page.flows.map(flowRow))}${more}` };
  },
});

const show = defineCommand({
  name: 'horae ring flow show',
  about: 'A flow with its steps',
  args: { flow: flowId, ...ringArguments },
  examples: [{ line: 'horae ring flow show 7 --url http://127.0.0.1:7070', does: 'exit code 1 when there is none' }],
  async run(args) {
    const id = idOf('<flow>', args.flow);
    const flow = await withRingClient(args, (client) => client.flow(id), { isReading: true });
    if (flow === null) return { json: null, text: `there is no flow ${id}`, exitCode: 1 };
    const steps = Object.entries(flow.steps).map(([name, { state, runId }]) => [
      ...['', name, state, runId === null ? '-' : `run ${runId}`],
    ]);
    return { json: flow, text: `${textTable([flowRow(flow)])}\n${textTable(steps)}` };
  },
});

const cancel = defineCommand({
  name: 'horae ring flow cancel',
  about: 'Skip the waiting steps of a flow and kill its open runs',
  args: { flow: flowId, ...ringArguments },
  examples: [
    { line: 'horae ring flow cancel 7 --url http://127.0.0.1:7070', does: 'exit code 1 when it was over already' },
  ],
  async run(args) {
    const id = idOf('<flow>', args.flow);
    const cancelled = await withRingClient(args, (client) => client.cancelFlow(id));
    const text = cancelled ? `cancelled flow ${id}` : `flow ${id} was over already`;
    return { json: { flow: id, cancelled }, text, exitCode: cancelled ? 0 : 1 };
  },
});

export const flowGroup = defineGroup({
  name: 'horae ring flow',
  about: 'Runs that start one after the other',
  examples: [
    { line: 'horae ring flow start import.yaml --url http://127.0.0.1:7070', does: 'start one' },
    { line: 'horae ring flow show 7 --database sqlite:./ring.db', does: 'where its steps stand' },
  ],
  commands: { start: async () => start, list: async () => list, show: async () => show, cancel: async () => cancel },
});

function flowRow({ id, name, state, steps, createdAt }: Flow): string[] {
  const count = Object.keys(steps).length;
  return [String(id), name, state, `${count} ${count === 1 ? 'step' : 'steps'}`, new Date(createdAt).toISOString()];
}
