import { writeFile } from 'node:fs/promises';
import {
  type EpochResult,
  explainWait,
  formatTimeline,
  loadScenario,
  renderGantt,
  replicate,
  runScenario,
} from '@horae/epoch-sim';
import { wholeNumber } from '../arguments/number-argument.js';
import { readInput } from '../documents/read-input.js';
import { CommandInputError } from '../frame/command-errors.js';
import { type Answer, defineCommand } from '../frame/define-command.js';
import { compareBranch } from './branch.js';
import { estimatesText, replicationSettings, seedOf, summaryAnswer, writeReport, writeTables } from './figures.js';

const scenarioNotes = `
SCENARIO

  title: Two repairs, one workshop
  epoch: { index: 0, start_at: 2026-07-01T08:00:00, end_at: 2026-07-01T12:00:00 }
  action_defs:
    repair: { base_duration_min: 45, locks: [workshop], interruptible: true }
  actions_submitted:
    - { id: valve, actor: Ronja, verb: repair, submitted_at: 2026-07-01T08:10:00 }
    - { id: pump, actor: Jonas, verb: repair, submitted_at: 2026-07-01T08:20:00 }

BRANCH (a file, or the text itself when it begins with "{")

  at: 15                      # the minute up to which both are the same
  withdraw: [pump]
  submit: [{ id: motor, actor: Jonas, verb: repair, submitted_at: 2026-07-01T08:30:00 }]
  interrupts: [{ at: 2026-07-01T08:25:00, target: valve, resume_after_min: 30 }]
`;

export const run = defineCommand({
  name: 'horae sim run',
  about: 'Simulate a scenario and print what happens',
  args: {
    scenario: { type: 'positional', description: 'A YAML or JSON file, or - for standard input', required: true },
    gantt: { type: 'string', alias: 'g', description: 'Write a Gantt chart to this file', valueHint: 'out.svg' },
    epochs: {
      type: 'string',
      description: "How many epochs, the scenario's own number by default",
      valueHint: 'number',
    },
    why: { type: 'string', alias: 'w', description: 'Explain why this action waited', valueHint: 'action' },
    summary: { type: 'boolean', description: 'Print figures: utilisation, queues, waits, throughput' },
    runs: {
      type: 'string',
      description: 'Run it this often with other seeds and print estimates',
      valueHint: 'number',
    },
    seed: { type: 'string', description: 'What all draws depend on, 0 by default', valueHint: 'text' },
    workers: { type: 'string', description: 'Threads for --runs, this one alone by default', valueHint: 'number' },
    csv: { type: 'string', description: 'Write events.csv, bars.csv and figures.csv here', valueHint: 'folder' },
    report: { type: 'string', description: 'Write a report with charts and figures', valueHint: 'out.html' },
    branch: { type: 'string', alias: 'b', description: 'What if? Changes to compare with', valueHint: 'file|{…}' },
  },
  examples: [
    { line: 'horae sim run storm.yaml', does: 'what happens, minute by minute' },
    { line: 'horae sim run storm.yaml --gantt storm.svg', does: 'and a drawing of it' },
    { line: 'horae sim run storm.yaml --why "tow Castor"', does: 'who kept it waiting?' },
    { line: 'horae sim run storm.yaml --summary --csv out', does: 'figures, and tables for a spreadsheet' },
    { line: 'horae sim run queue.yaml --runs 200 --workers 2', does: 'means with their 95 % intervals' },
    { line: 'horae sim run queue.yaml --runs 200 --csv out', does: 'and tables of the first run' },
    { line: "horae sim run storm.yaml --branch '{ at: 60, withdraw: [tow Castor] }'", does: 'what would change?' },
  ],
  notes: scenarioNotes,
  async run(args, { showProgress }) {
    const scenario = loadScenario(await readInput(args.scenario));
    const epochs = wholeNumber('--epochs', args.epochs, { fallback: scenario.epochs ?? 1, least: 1, most: 100_000 });
    showProgress(`simulating ${scenario.actions_submitted.length} actions over ${epochs} epochs …`);
    const wanted = { ...scenario, epochs };
    const seed = seedOf(args.seed);
    const ownSeed = args.seed === undefined ? {} : { seed };
    if (args.branch !== undefined) return compareBranch(wanted, args.branch, ownSeed);
    // Tables and charts of many runs are those of the first one.
    const results = runScenario(wanted, args.runs === undefined ? ownSeed : { seed: `${seed}:0` });
    if (args.csv !== undefined) await writeTables(args.csv, results);
    if (args.report !== undefined) await writeReport(args.report, results, scenario.title);
    if (args.gantt !== undefined) await writeGantt(args.gantt, results, scenario.title);
    if (args.why !== undefined) return whyAnswer(results, args.why);
    if (args.runs !== undefined) {
      const replication = await replicate(wanted, replicationSettings(args, showProgress));
      return { json: replication, text: estimatesText(replication) };
    }
    if (args.summary) return summaryAnswer(results);
    return { json: { title: scenario.title ?? null, results }, text: results.map(formatTimeline).join('\n\n') };
  },
});

/** One file for one epoch; more epochs get a number before the file's ending. */
async function writeGantt(path: string, results: readonly EpochResult[], title: string | undefined): Promise<void> {
  for (const [index, result] of results.entries()) {
    const file = results.length === 1 ? path : path.replace(/(\.[^.]*)?$/, `-${index}$1`);
    try {
      await writeFile(file, renderGantt(result, title === undefined ? {} : { title }));
    } catch (error) {
      throw new CommandInputError(`${file} cannot be written: ${(error as Error).message}`, {
        hint: 'name a file in a folder that exists and may be written to',
        path: file,
      });
    }
  }
}

function whyAnswer(results: readonly EpochResult[], action: string): Answer {
  const explained = results.map((result) => explainWait(result, action)).find((wait) => wait !== null);
  if (explained === undefined || explained === null) {
    throw new CommandInputError(`the action "${action}" neither starts nor waits`, {
      hint: 'actions are named by their id in the scenario',
      action,
    });
  }
  const chain = explained.chain.map(({ action_id, lock, released_t }) => {
    const over = lock === null ? 'stood in front of it' : `had ${lock}`;
    return `  ${action_id} ${over}${released_t === null ? '' : ` until minute ${released_t}`}`;
  });
  const head = explained.waited_min === 0 ? 'did not wait' : `waited ${explained.waited_min} min`;
  return { json: explained, text: [`${action} ${head}`, ...chain].join('\n') };
}
