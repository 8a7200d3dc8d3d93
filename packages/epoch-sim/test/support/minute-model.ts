import type { ActionInstance, EpochInput, EpochOptions, Interrupt } from '../../src/index.js';

/**
 * The oracle: a slow model that walks through every minute and every action, by name, with plain lists and no cleverness.
 * It shares no code with the engine. It knows nothing of epochs; it is given one long line of time.
 */
export interface ModelEvent {
  type: string;
  action_id: string;
  minute: number;
  d?: number;
  attempt?: number;
  waited?: number;
}

export interface ModelRun {
  events: ModelEvent[];
  rejections: { id: string; code: string; minute: number }[];
  ignored: { target: string; reason: string; minute: number }[];
  stocks: Map<string, { stock: number; reserved: number }>;
  holders: Map<string, string>;
}

interface Action {
  given: ActionInstance;
  place: number;
  submitted: number;
  state: 'future' | 'waiting' | 'running' | 'suspended' | 'done' | 'rejected';
  locks: string[];
  priority: number;
  remaining: number | null;
  end: number;
  startOrder: number;
  request: number;
  firstRequest: number;
  askedAt: number;
  resumeAt: number;
  attempt: number;
}

const EFFORT: Record<string, number> = { low: 90, medium: 100, high: 110 };
const SKILL = [125, 100, 85, 70];

/** Hundredths are enough for the modifiers that the scenarios draw. */
function modelDuration(input: EpochInput, action: Action, minute: number): number {
  const def = input.action_defs[action.given.verb]!;
  const level = input.skills?.[action.given.actor]?.[def.skill ?? action.given.verb] ?? 1;
  let numerator = BigInt(
    def.base_duration_min * EFFORT[def.effort ?? 'medium']! * SKILL[Math.min(3, Math.round(level))]!,
  );
  let denominator = 10_000n;
  const ofDay = ((minute % 1440) + 1440) % 1440;
  for (const { factor, verb, from = 0, to = 1440 } of input.modifiers ?? []) {
    let inside = false;
    for (let m = from; m !== to || (from === 0 && to === 1440 && m === 0); m = (m + 1) % 1440) {
      if (m === ofDay) inside = true;
      if (from === 0 && to === 1440) {
        inside = true;
        break;
      }
      if ((m + 1) % 1440 === to % 1440) break;
    }
    if (from === to) inside = false;
    if (inside && (verb === undefined || verb === action.given.verb)) {
      numerator *= BigInt(Math.round(factor * 100));
      denominator *= 100n;
    }
  }
  let minutes = 1;
  while (BigInt(minutes) * denominator < numerator) minutes++;
  return minutes;
}

const minuteOf = (iso: string): number => Math.ceil(Date.parse(iso.endsWith('Z') ? iso : `${iso}Z`) / 60_000);

/** Walks from the epoch's start over `minutes` minutes, closing the last one as an epoch does. */
export function runModel(input: EpochInput, minutes: number, options: EpochOptions = {}): ModelRun {
  const origin = minuteOf(input.epoch.start_at);
  const events: ModelEvent[] = [];
  const rejections: ModelRun['rejections'] = [];
  const ignored: ModelRun['ignored'] = [];
  const taken = new Set<string>();
  const stocks = new Map(
    Object.entries(input.resources ?? {}).map(([name, given]) => [name, { stock: Number(given), reserved: 0 }]),
  );
  let requests = 0;
  let starts = 0;
  const all: Action[] = input.actions_submitted.map((given, place) => ({
    given,
    place,
    submitted: minuteOf(given.submitted_at) - origin,
    state: 'future',
    locks: [],
    priority: given.priority ?? input.action_defs[given.verb]?.priority ?? 0,
    remaining: null,
    end: -1,
    startOrder: -1,
    request: -1,
    firstRequest: -1,
    askedAt: -1,
    resumeAt: -1,
    attempt: 0,
  }));
  const def = (action: Action) => input.action_defs[action.given.verb]!;
  const running = () => all.filter((a) => a.state === 'running').sort((a, b) => a.startOrder - b.startOrder);
  const waiting = () => all.filter((a) => a.state === 'waiting').sort((a, b) => a.request - b.request);
  const holder = (lock: string) => all.find((a) => a.state === 'running' && a.locks.includes(lock));
  const ask = (action: Action, t: number): void => {
    action.state = 'waiting';
    action.request = requests++;
    action.askedAt = t;
    if (action.firstRequest < 0) action.firstRequest = action.request;
  };
  const refund = (action: Action, consume: boolean): void => {
    for (const { name, amount, mode } of def(action).resources ?? []) {
      const entry = stocks.get(name)!;
      entry.reserved -= amount;
      if (consume && mode !== 'return') entry.stock -= amount;
    }
  };
  const stop = (action: Action, t: number): void => {
    action.remaining = action.end - t;
    events.push({ type: 'interrupt', action_id: action.given.id, minute: t, d: action.remaining });
  };

  for (let t = 0; t <= minutes; t++) {
    const reveals: string[] = [];
    for (const action of running()) {
      if (action.end !== t) continue;
      action.state = 'done';
      events.push({ type: 'end', action_id: action.given.id, minute: t });
      refund(action, true);
      if (def(action).may_trigger_event) reveals.push(action.given.id);
    }
    for (const id of reveals) events.push({ type: 'visibility_change', action_id: id, minute: t });
    if (t === minutes) break;

    const due = (input.interrupts ?? [])
      .map((given, place) => ({ given, place }))
      .filter(({ given }) => Math.max(0, minuteOf(given.at) - origin) === t)
      .sort((a, b) => (b.given.priority ?? 1) - (a.given.priority ?? 1) || a.place - b.place);
    for (const { given } of due) applyInterrupt(given, t);

    for (const action of all
      .filter((a) => a.state === 'suspended' && a.resumeAt === t)
      .sort((a, b) => a.firstRequest - b.firstRequest))
      ask(action, t);
    for (const action of all
      .filter((a) => a.state === 'future' && Math.max(0, a.submitted) === t)
      .sort((a, b) => a.submitted - b.submitted || a.place - b.place))
      admit(action, t);

    const starting = preempt(t);
    const queue = waiting().filter((a) => !starting.includes(a));
    for (const action of queue) {
      const free = action.locks.every(
        (lock) => holder(lock) === undefined && !starting.some((other) => other.locks.includes(lock)),
      );
      const first = action.locks.every(
        (lock) =>
          !queue.some(
            (other) => other.request < action.request && !starting.includes(other) && other.locks.includes(lock),
          ),
      );
      if (free && first) starting.push(action);
    }
    for (const action of starting.sort((a, b) => a.request - b.request)) {
      const d = action.remaining ?? modelDuration(input, action, origin + t);
      action.state = 'running';
      action.attempt++;
      action.end = t + d;
      action.startOrder = starts++;
      events.push({
        type: 'start',
        action_id: action.given.id,
        minute: t,
        d,
        attempt: action.attempt,
        waited: t - action.askedAt,
      });
    }
    const seen = new Set<string>();
    for (const action of running()) {
      for (const lock of action.locks) {
        if (seen.has(lock)) throw new Error(`the model itself gave ${lock} away twice`);
        seen.add(lock);
      }
    }
  }
  const holders = new Map(running().flatMap((a) => a.locks.map((lock): [string, string] => [lock, a.given.id])));
  return { events, rejections, ignored, stocks, holders };

  function applyInterrupt(given: Interrupt, t: number): void {
    const { target, priority = 1 } = given;
    let hit: Action[];
    if (target.startsWith('actor:')) hit = running().filter((a) => a.given.actor === target.slice(6));
    else if (target.startsWith('lock:')) hit = running().filter((a) => a.locks.includes(target.slice(5)));
    else hit = running().filter((a) => a.given.id === target);
    if (hit.length === 0) ignored.push({ target, reason: 'not_running', minute: t });
    for (const action of hit) {
      if (!def(action).interruptible) ignored.push({ target, reason: 'not_interruptible', minute: t });
      else if (action.priority >= priority) ignored.push({ target, reason: 'priority', minute: t });
      else {
        stop(action, t);
        action.state = given.resume === 'never' ? 'done' : 'suspended';
        action.resumeAt = t + (given.resume_after_min ?? 0);
        if (given.resume === 'never') refund(action, false);
      }
    }
  }

  function isShort(name: string, needs: readonly { name: string; amount: number }[]): boolean {
    const { stock, reserved } = stocks.get(name) ?? { stock: 0, reserved: 0 };
    const wanted = needs.filter((need) => need.name === name).reduce((sum, { amount }) => sum + amount, 0);
    return stock - reserved < wanted;
  }

  function admit(action: Action, t: number): void {
    const { id, verb, actor } = action.given;
    const known = Object.hasOwn(input.action_defs, verb) ? input.action_defs[verb]! : undefined;
    const needs = known?.resources ?? [];
    const locks = new Set([...(known?.locks ?? []), ...(options.actor_exclusive ? [`actor:${actor}`] : [])]);
    let code: string | null = null;
    if (taken.has(id)) code = 'DuplicateActionId';
    else if (known === undefined) code = 'UnknownVerb';
    else if (needs.some(({ name }) => isShort(name, needs))) code = 'InsufficientResources';
    else if ((known.on_conflict ?? options.lock_policy) === 'fail') {
      const wanted = [...all].some(
        (a) => (a.state === 'running' || a.state === 'waiting') && a.locks.some((lock) => locks.has(lock)),
      );
      if (wanted) code = 'CannotAcquireLock';
    }
    if (code !== null) {
      action.state = 'rejected';
      rejections.push({ id, code, minute: t });
      return;
    }
    taken.add(id);
    action.locks = [...locks];
    for (const { name, amount } of needs) stocks.get(name)!.reserved += amount;
    ask(action, t);
  }

  function preempt(t: number): Action[] {
    const starting: Action[] = [];
    const candidates = waiting()
      .filter((a) => def(a).preempts && a.locks.length > 0)
      .sort((a, b) => b.priority - a.priority || a.request - b.request);
    for (const action of candidates) {
      const ahead = waiting().filter(
        (w) =>
          w !== action &&
          !starting.includes(w) &&
          w.request < action.request &&
          w.locks.some((lock) => action.locks.includes(lock)),
      );
      const inUse = running().filter((r) => r.locks.some((lock) => action.locks.includes(lock)));
      const taken = starting.some((s) => s.locks.some((lock) => action.locks.includes(lock)));
      if (taken || ahead.some((w) => w.priority >= action.priority)) continue;
      if (inUse.some((r) => !def(r).interruptible || r.priority >= action.priority)) continue;
      for (const victim of inUse) stop(victim, t);
      for (const victim of inUse) ask(victim, t);
      starting.push(action);
    }
    return starting;
  }
}
