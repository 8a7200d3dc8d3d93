import type { ActionInstance, Cancellation, EpochInput, EpochOptions, Interrupt, Outage } from '../../src/index.js';
import { modelArrivals, modelDuration, modelMinutes, momentOf } from './model-duration.js';
import { ModelQueues } from './model-queues.js';

/**
 * The oracle: a slow model that walks through every minute and every action, by name, with plain lists and no cleverness.
 * It shares no code with the engine but the source of random numbers. It knows nothing of epochs; it is given one long line
 * of time.
 */
export interface ModelEvent {
  type: string;
  action_id: string;
  minute: number;
  d?: number;
  attempt?: number;
  waited?: number;
  reason?: unknown;
}

export interface ModelRun {
  events: ModelEvent[];
  rejections: { id: string; code: string; minute: number }[];
  ignored: { target: string; reason: string; minute: number }[];
  stocks: Map<string, { stock: number; reserved: number; max?: number }>;
  holders: Map<string, string>;
}

export interface ModelAction {
  given: ActionInstance;
  /** Order of admission within a minute: listed ones by their place, then arrivals, then repairs. */
  group: 'listed' | 'arrival' | 'repair';
  place: number;
  submitted: number;
  state: 'future' | 'held' | 'waiting' | 'running' | 'suspended' | 'ended' | 'cancelled' | 'rejected';
  locks: Map<string, number>;
  priority: number;
  remaining: number | null;
  end: number;
  startOrder: number;
  request: number;
  firstRequest: number;
  askedAt: number;
  resumeAt: number;
  attempt: number;
  hasReserved: boolean;
}

/** Walks from the epoch's start over `minutes` minutes, closing the last one as an epoch does. */
export function runModel(input: EpochInput, minutes: number, options: EpochOptions = {}): ModelRun {
  return new MinuteModel(input, minutes, options).run();
}

class MinuteModel {
  readonly events: ModelEvent[] = [];
  readonly rejections: ModelRun['rejections'] = [];
  readonly ignored: ModelRun['ignored'] = [];
  readonly stocks: ModelRun['stocks'];
  readonly all: ModelAction[] = [];
  readonly queues: ModelQueues;
  readonly seed: number | string;
  readonly origin: number;
  readonly breaks: { given: Outage; key: string; draws: number; due: number | null }[] = [];
  readonly down = new Map<string, { until: number | null; by: string | null }>();
  readonly repairs = new Map<string, number>();
  requests = 0;
  starts = 0;

  constructor(
    readonly input: EpochInput,
    readonly minutes: number,
    readonly options: EpochOptions,
  ) {
    this.seed = options.seed ?? 0;
    this.origin = momentOf(input, 0);
    this.stocks = new Map(
      Object.entries(input.resources ?? {}).map(([name, given]) => {
        const { stock, max } = typeof given === 'number' ? { stock: given, max: undefined } : given;
        return [name, max === undefined ? { stock, reserved: 0 } : { stock, reserved: 0, max }];
      }),
    );
    this.queues = new ModelQueues(this);
    for (const [place, given] of input.actions_submitted.entries())
      this.add(given, 'listed', place, momentOf(input, given.submitted_at) - this.origin);
    for (const { given, minute, source } of modelArrivals(input, minutes, this.seed))
      this.add(given, 'arrival', source, minute);
    for (const given of input.outages ?? []) this.addBreak(given);
  }

  add(given: ActionInstance, group: ModelAction['group'], place: number, submitted: number): ModelAction {
    const action: ModelAction = {
      given,
      group,
      place,
      submitted,
      state: 'future',
      locks: new Map(),
      priority: given.priority ?? this.input.action_defs[given.verb]?.priority ?? 0,
      remaining: null,
      end: -1,
      startOrder: -1,
      request: -1,
      firstRequest: -1,
      askedAt: -1,
      resumeAt: -1,
      attempt: 0,
      hasReserved: false,
    };
    this.all.push(action);
    return action;
  }

  def = (action: ModelAction) => this.input.action_defs[action.given.verb]!;
  running = () => this.all.filter((a) => a.state === 'running').sort((a, b) => a.startOrder - b.startOrder);
  waiting = () => this.all.filter((a) => a.state === 'waiting').sort((a, b) => a.request - b.request);
  needs = (action: ModelAction) => (this.def(action).resources ?? []).filter(({ mode }) => mode !== 'produce');
  waitsForStock = (action: ModelAction) => this.def(action).on_shortage === 'wait' && this.needs(action).length > 0;

  run(): ModelRun {
    for (let t = 0; t <= this.minutes; t++) {
      this.endAll(t);
      if (t === this.minutes) break;
      this.interruptAll(t);
      this.breakDown(t);
      for (const given of this.input.cancellations ?? [])
        if (Math.max(0, momentOf(this.input, given.at) - this.origin) === t) this.cancelTarget(given, t);
      for (const action of this.waiting()) {
        const patience = action.given.patience_min ?? this.def(action).patience_min;
        if (action.attempt === 0 && patience !== undefined && t >= action.askedAt + patience)
          this.cancel(action, t, 'patience');
      }
      this.admitAll(t);
      this.startAll(t);
    }
    const holders = new Map<string, string>();
    for (const action of this.running())
      for (const lock of action.locks.keys()) if (!holders.has(lock)) holders.set(lock, action.given.id);
    const { events, rejections, ignored, stocks } = this;
    return { events, rejections, ignored, stocks, holders };
  }

  endAll(t: number): void {
    const reveals: string[] = [];
    for (const action of this.running()) {
      if (action.end !== t) continue;
      action.state = 'ended';
      this.events.push({ type: 'end', action_id: action.given.id, minute: t });
      this.settle(action, true);
      if (this.def(action).may_trigger_event) reveals.push(action.given.id);
    }
    for (const lock of [...this.down.keys()].sort()) {
      const { until, by } = this.down.get(lock)!;
      const done = until === t || this.all.some((a) => a.given.id === by && a.state === 'ended');
      if (!done) continue;
      this.down.delete(lock);
      this.events.push({ type: 'restore', action_id: `lock:${lock}`, minute: t });
      for (const one of this.breaks) if (one.given.lock === lock && one.due === null) this.nextBreak(one, t);
    }
    for (const id of reveals) this.events.push({ type: 'visibility_change', action_id: id, minute: t });
  }

  settle(action: ModelAction, consume: boolean): void {
    for (const { name, amount, mode } of this.def(action).resources ?? []) {
      if (mode === 'produce') {
        if (!consume) continue;
        const entry = this.stocks.get(name) ?? { stock: 0, reserved: 0 };
        this.stocks.set(name, entry);
        entry.stock = Math.max(entry.stock, Math.min(entry.stock + amount, entry.max ?? Infinity));
      } else if (action.hasReserved) {
        const entry = this.stocks.get(name)!;
        entry.reserved -= amount;
        if (consume && mode !== 'return') entry.stock -= amount;
      }
    }
  }

  stop(action: ModelAction, t: number): void {
    action.remaining = action.end - t;
    this.events.push({ type: 'interrupt', action_id: action.given.id, minute: t, d: action.remaining });
  }

  interruptAll(t: number): void {
    const due = (this.input.interrupts ?? [])
      .map((given, place) => ({ given, place }))
      .filter(({ given }) => Math.max(0, momentOf(this.input, given.at) - this.origin) === t)
      .sort((a, b) => (b.given.priority ?? 1) - (a.given.priority ?? 1) || a.place - b.place);
    for (const { given } of due) this.interrupt(given, t);
  }

  interrupt(given: Interrupt, t: number): void {
    const { target, priority = 1 } = given;
    let hit: ModelAction[];
    if (target.startsWith('actor:')) hit = this.running().filter((a) => a.given.actor === target.slice(6));
    else if (target.startsWith('lock:')) hit = this.running().filter((a) => a.locks.has(target.slice(5)));
    else hit = this.running().filter((a) => a.given.id === target);
    if (hit.length === 0) this.ignored.push({ target, reason: 'not_running', minute: t });
    for (const action of hit) {
      if (!this.def(action).interruptible) this.ignored.push({ target, reason: 'not_interruptible', minute: t });
      else if (action.priority >= priority) this.ignored.push({ target, reason: 'priority', minute: t });
      else {
        this.stop(action, t);
        action.state = given.resume === 'never' ? 'cancelled' : 'suspended';
        action.resumeAt = t + (given.resume_after_min ?? 0);
        if (given.resume === 'never') this.settle(action, false);
      }
    }
    this.rejectUnmet(t);
  }

  addBreak(given: Outage): void {
    const others = this.breaks.filter((one) => one.given.lock === given.lock).length;
    const one = { given, key: `${given.lock}:${others}`, draws: 0, due: null as number | null };
    if (given.at === undefined) this.nextBreak(one, 0);
    else one.due = Math.max(0, momentOf(this.input, given.at) - this.origin);
    this.breaks.push(one);
  }

  nextBreak(one: MinuteModel['breaks'][number], from: number): void {
    one.due = null;
    if (one.given.every === undefined) return;
    one.draws++;
    one.due = from + modelMinutes(one.given.every, 'outage', this.seed, one.key, one.draws);
  }

  breakDown(t: number): void {
    for (const one of this.breaks) {
      if (one.due !== t) continue;
      one.due = null;
      const { lock, repair, policy } = one.given;
      if (this.down.has(lock)) continue;
      this.events.push({ type: 'outage', action_id: `lock:${lock}`, minute: t });
      for (const action of this.running()) {
        if (policy === 'finish' || !action.locks.has(lock) || !this.def(action).interruptible) continue;
        this.stop(action, t);
        action.state = 'suspended';
        action.resumeAt = t;
      }
      if (typeof repair === 'object' && 'verb' in repair) {
        const n = (this.repairs.get(lock) ?? 0) + 1;
        this.repairs.set(lock, n);
        const id = `repair:${lock}:${n}`;
        this.add({ id, actor: repair.actor ?? id, verb: repair.verb, submitted_at: t }, 'repair', 0, t);
        this.down.set(lock, { until: null, by: id });
      } else {
        const minutes = modelMinutes(repair, 'repair', this.seed, one.key, one.draws);
        this.down.set(lock, { until: t + minutes, by: null });
      }
    }
  }

  cancelTarget({ target, reason = 'cancelled' }: Cancellation, t: number): void {
    const isOpen = (a: ModelAction) => ['waiting', 'suspended', 'running'].includes(a.state);
    const hit = this.all
      .filter((a) => isOpen(a) && (a.given.id === target || `actor:${a.given.actor}` === target))
      .sort((a, b) => a.firstRequest - b.firstRequest);
    if (hit.length === 0) this.ignored.push({ target, reason: 'not_running', minute: t });
    for (const action of hit) {
      if (action.state === 'running' && !this.def(action).interruptible)
        this.ignored.push({ target, reason: 'not_interruptible', minute: t });
      else this.cancel(action, t, reason);
    }
  }

  cancel(action: ModelAction, t: number, reason: string): void {
    if (action.state === 'running') action.remaining = action.end - t;
    action.state = 'cancelled';
    this.settle(action, false);
    const d = action.attempt > 0 ? { d: action.remaining! } : {};
    this.events.push({ type: 'cancel', action_id: action.given.id, minute: t, reason, ...d });
    this.rejectUnmet(t);
  }

  admitAll(t: number): void {
    for (const action of this.all
      .filter((a) => a.state === 'suspended' && a.resumeAt === t)
      .sort((a, b) => a.firstRequest - b.firstRequest))
      this.queues.ask(action, t);
    const groups = ['listed', 'arrival', 'repair'];
    // Late ones by their true time, then the others as they stand in the list.
    const late = (a: ModelAction) => (t === 0 && a.submitted < 0 ? a.submitted : 0);
    const due = this.all
      .filter((a) => (a.state === 'future' && Math.max(0, a.submitted) === t) || a.state === 'held')
      .sort((a, b) => groups.indexOf(a.group) - groups.indexOf(b.group) || late(a) - late(b) || a.place - b.place);
    for (const action of due) if (action.state !== 'rejected') this.queues.admit(action, t);
  }

  /** Rejects what comes after something that never ends, until nothing changes any more. */
  rejectUnmet(t: number): void {
    for (let changed = true; changed; ) {
      changed = false;
      for (const action of this.all) {
        if (action.state !== 'held' || !this.queues.isHopeless(action)) continue;
        this.queues.reject(action, 'UnmetDependency', t);
        changed = true;
      }
    }
  }

  startAll(t: number): void {
    const starting = this.queues.starting(t);
    for (const action of starting.sort((a, b) => a.request - b.request)) {
      const d = action.remaining ?? modelDuration(this.input, action.given, this.origin + t, this.seed);
      action.state = 'running';
      action.attempt++;
      action.end = t + d;
      action.startOrder = this.starts++;
      const [attempt, waited] = [action.attempt, t - action.askedAt];
      this.events.push({ type: 'start', action_id: action.given.id, minute: t, d, attempt, waited });
    }
    this.queues.checkUnits();
  }
}

export type { MinuteModel };
