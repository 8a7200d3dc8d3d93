import {
  createSimulation,
  type EpochInput,
  InvalidScenario,
  loadScenario,
  type Scenario,
  type ScheduleEvent,
} from '@horae/epoch-sim';
import { DateTime } from 'luxon';
import { z } from 'zod';
import { checkedText } from '../documents/checked-document.js';
import { readInput } from '../documents/read-input.js';
import { CommandInputError } from '../frame/command-errors.js';
import type { Answer } from '../frame/define-command.js';

const branchSchema = z.strictObject({
  at: z.int().min(0).default(0),
  withdraw: z.array(z.string()).default([]),
  submit: z.array(z.unknown()).default([]),
  interrupts: z.array(z.unknown()).default([]),
});

/** Runs the scenario up to a minute, continues with and without the changes, and reports where the two differ. */
export async function compareBranch(
  scenario: Scenario,
  given: string,
  options: { readonly seed?: number | string },
): Promise<Answer> {
  const isText = given.trimStart().startsWith('{');
  const changes = checkedText(isText ? given : await readInput(given), branchSchema, isText ? '--branch' : given);
  const { submit, interrupts } = checkedChanges(scenario, changes);
  const end = minutesOf(scenario.epoch) * (scenario.epochs ?? 1);
  const here = createSimulation(scenario, { ...scenario.options, ...options }).runUntil(changes.at);
  const there = here.branch();
  for (const id of changes.withdraw) {
    if (there.withdraw(id)) continue;
    throw new CommandInputError(
      `"${id}" cannot be withdrawn at minute ${changes.at}: it is unknown or already admitted`,
      {
        hint: 'choose an earlier "at", or interrupt it instead',
      },
    );
  }
  there.submit(submit ?? []).interrupt(interrupts ?? []);
  const diff = here.runUntil(end).diff(there.runUntil(end));
  return { json: { at: changes.at, ...diff }, text: diffText(diff) };
}

/** The length of an epoch; a number counts minutes from the start. */
function minutesOf({ start_at, end_at }: Scenario['epoch']): number {
  if (typeof end_at === 'number') return end_at;
  const [start, stop] = [start_at, end_at].map((at) => DateTime.fromISO(at, { zone: 'utc' }));
  return stop!.diff(start!).as('minutes');
}

/** The scenario's own checks, with the changes in the place of its actions. */
function checkedChanges(
  scenario: Scenario,
  changes: { submit: unknown[]; interrupts: unknown[] },
): { submit: EpochInput['actions_submitted']; interrupts: EpochInput['interrupts'] } {
  const { epoch, action_defs } = scenario;
  try {
    const checked = loadScenario({
      epoch,
      action_defs,
      actions_submitted: changes.submit,
      interrupts: changes.interrupts,
    });
    return { submit: checked.actions_submitted, interrupts: checked.interrupts };
  } catch (error) {
    if (!(error instanceof InvalidScenario)) throw error;
    const message = error.message
      .replace('InvalidScenario: actions_submitted', '--branch: submit')
      .replace('InvalidScenario', '--branch');
    throw new CommandInputError(message, { hint: '"horae sim run --help" shows a branch', ...error.details });
  }
}

function diffText({
  first_divergence,
  only_here,
  only_there,
}: ReturnType<ReturnType<typeof createSimulation>['diff']>): string {
  if (first_divergence === null) return 'nothing changes';
  const line = (sign: string) => (event: ScheduleEvent) =>
    `${sign} ${event.at.slice(11, 16)}  ${event.type}  ${event.action_id}`;
  return [
    `the first difference is at minute ${first_divergence.t} (${first_divergence.at})`,
    ...only_here.map(line('-')),
    ...only_there.map(line('+')),
  ].join('\n');
}
