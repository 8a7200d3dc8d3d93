import {
  activate,
  createLedger,
  deregister,
  type Ledger,
  type LifecycleVerdict,
  type MidgardState,
  nextShiftOf,
  type ProtocolParameters,
  planTransaction,
  register,
  retire,
  type ShiftKeeper,
  startShiftKeeper,
  type Transaction,
  timetable,
  type Verdict,
} from 'horae/shift';
import type { Clock } from 'horae/time';
import type { ChainRecord, LifecycleStep, ShiftsSnapshot, ShiftView } from '../../wire/shifts.js';
import type { Note } from '../overview/activity.js';
import { handTransaction } from './hand-transaction.js';
import { keyOf, nameOf, seasons, withNames } from './operators.js';

export interface ShiftWatchOptions {
  readonly clock: Clock;
  readonly shiftMs: number;
  readonly note: Note;
  readonly onChange: () => void;
}

/** A chain of its own with operators, kept by keepers or by hand. */
export interface ShiftWatch {
  snapshot(): Promise<ShiftsSnapshot>;
  submit(redeemer: 'advance' | 'rewind', signer: string | null): Promise<ChainRecord>;
  lifecycle(step: LifecycleStep, name: string): Promise<ChainRecord>;
  rollback(): Promise<void>;
  setAutopilot(on: boolean): Promise<void>;
  /** Activates due registrants when no keeper would; called every second. */
  tick(): Promise<void>;
  stop(): Promise<void>;
}

const KEPT_RECORDS = 60;
const SHOWN_SHIFTS = 12;
const steps = { register, activate, deregister, retire };

export async function createShiftWatch({ clock, shiftMs, note, onChange }: ShiftWatchOptions): Promise<ShiftWatch> {
  const parameters: ProtocolParameters = {
    shiftDurationMs: shiftMs,
    registrationDurationMs: shiftMs * 3,
    requiredBond: 5_000_000n,
  };
  const ledger = await createLedger({ state: beginning(clock.now()), parameters, clock });
  const history: ChainRecord[] = [];
  const keepers = new Map<string, ShiftKeeper>();
  let nextId = 1;
  let isAutomatic = true;

  function record(what: string, by: string, verdict: Verdict | LifecycleVerdict): ChainRecord {
    const violations = verdict.accepted
      ? []
      : verdict.violations.map(({ rule, expected, found }) => ({
          rule,
          expected: withNames(expected),
          found: withNames(found),
        }));
    const entry: ChainRecord = { id: nextId++, at: clock.now(), what, by, accepted: verdict.accepted, violations };
    history.unshift(entry);
    history.length = Math.min(history.length, KEPT_RECORDS);
    const reason = violations[0] === undefined ? '' : ` refused: ${violations[0].rule}`;
    note('shifts', `${what} by ${by}${reason}`, verdict.accepted ? 'good' : 'bad');
    onChange();
    return entry;
  }

  async function submitAs(by: string, tx: Transaction): Promise<Verdict> {
    const verdict = await ledger.submit(tx);
    record(`${tx.redeemer} to ${nameOf(tx.schedulerOutput?.operator ?? '')}`, by, verdict);
    return verdict;
  }

  function keep(operator: string): void {
    const chain = { state: () => ledger.state(), submit: (tx: Transaction) => submitAs(nameOf(operator), tx) };
    keepers.set(operator, startShiftKeeper({ clock, chain, operator, parameters }));
  }

  async function manKeepers(): Promise<void> {
    const { active } = await ledger.state();
    for (const key of active) if (isAutomatic && !keepers.has(key)) keep(key);
    for (const [key, keeper] of keepers) {
      if (isAutomatic && active.includes(key)) continue;
      keepers.delete(key);
      await keeper.stop();
    }
  }

  async function lifecycle(step: LifecycleStep, name: string, by = name): Promise<ChainRecord> {
    const now = clock.now();
    let verdict: LifecycleVerdict | null = null;
    await ledger.change((state) => {
      verdict = steps[step](
        state,
        {
          operator: keyOf(name),
          signatories: [keyOf(name)],
          validity: { from: now, to: now + 1_000 },
          ...(step === 'register' ? { bond: parameters.requiredBond } : {}),
        },
        parameters,
      );
      return verdict.accepted ? verdict.state : state;
    });
    await manKeepers();
    return record(`${step} ${name}`, by, verdict!);
  }

  await manKeepers();
  return {
    snapshot: async () => snapshotOf(await ledger.state(), parameters, clock.now(), history, isAutomatic),
    async submit(redeemer, signer) {
      const state = await ledger.state();
      const key = signer === null ? null : keyOf(signer);
      await submitAs(signer ?? 'anyone', handTransaction(state, redeemer, key, clock.now(), parameters));
      return history[0]!;
    },
    lifecycle: (step, name) => lifecycle(step, name),
    async rollback() {
      await ledger.rollback(1);
      record('rollback of one step', 'the chain', { accepted: true });
      await manKeepers();
    },
    async setAutopilot(on) {
      isAutomatic = on;
      await manKeepers();
      onChange();
    },
    async tick() {
      onChange();
      if (isAutomatic) await letIn(ledger, parameters, clock.now(), (name) => lifecycle('activate', name, 'anyone'));
    },
    async stop() {
      isAutomatic = false;
      await manKeepers();
    },
  };
}

function beginning(now: number): MidgardState {
  const active = seasons.map(keyOf).sort();
  return {
    scheduler: { operator: active.at(-1)!, shiftStart: now },
    hubOracle: true,
    active,
    registered: [],
    retired: [],
  };
}

/** A due registrant enters between two cycles: when the plan requires its activation first. */
async function letIn(
  ledger: Ledger,
  parameters: ProtocolParameters,
  now: number,
  letOne: (name: string) => Promise<unknown>,
): Promise<void> {
  const state = await ledger.state();
  const due = state.registered.findLast(({ activationTime }) => activationTime <= now);
  if (due === undefined) return;
  const plan = planTransaction(state, now, null, parameters);
  if (!plan.possible || plan.redeemer === 'rewind') await letOne(nameOf(due.operator));
}

function snapshotOf(
  state: MidgardState,
  parameters: ProtocolParameters,
  now: number,
  history: readonly ChainRecord[],
  autopilot: boolean,
): ShiftsSnapshot {
  const person = (key: string) => ({ name: nameOf(key), key });
  const shift = (view: { operator: string; start: number; end: number } | null): ShiftView | null =>
    view === null ? null : { operator: nameOf(view.operator), start: view.start, end: view.end };
  const { scheduler } = state;
  return {
    now,
    shiftMs: parameters.shiftDurationMs,
    registrationMs: parameters.registrationDurationMs,
    autopilot,
    active: state.active.map((key) => ({ ...person(key), next: shift(nextShiftOf(state, key, now, parameters)) })),
    registered: state.registered.map(({ operator, activationTime }) => ({ ...person(operator), activationTime })),
    retired: state.retired.map(person),
    current:
      scheduler === null
        ? null
        : shift({
            operator: scheduler.operator,
            start: scheduler.shiftStart,
            end: scheduler.shiftStart + parameters.shiftDurationMs,
          }),
    timetable: timetable(state, parameters, { from: now, count: SHOWN_SHIFTS }).map((view) => shift(view)!),
    plan: planWords(state, parameters, now),
    history: history.slice(0, 30),
  };
}

function planWords(state: MidgardState, parameters: ProtocolParameters, now: number): ShiftsSnapshot['plan'] {
  const anyone = planTransaction(state, now, null, parameters);
  if (!anyone.possible) return { possible: false, redeemer: null, text: withNames(anyone.explanation) };
  const own = planTransaction(state, now, anyone.operator, parameters);
  const plan = own.possible ? own : anyone;
  const wait = Math.max(0, (plan.validity.from ?? now) - now);
  const when = wait === 0 ? 'now' : `in ${Math.ceil(wait / 1000)} s`;
  const signer = plan.requiredSigner === null ? 'unsigned, by anyone' : `signed by ${nameOf(plan.requiredSigner)}`;
  return {
    possible: true,
    redeemer: plan.redeemer,
    text: `${plan.redeemer === 'advance' ? 'Advance' : 'Rewind'} to ${nameOf(plan.operator)}, ${when}, ${signer}.`,
  };
}
