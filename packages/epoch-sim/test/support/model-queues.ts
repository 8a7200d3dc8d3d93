import type { MinuteModel, ModelAction } from './minute-model.js';

/** Who asks, who stands before whom, and who may start; a part of the minute-stepping model. */
export class ModelQueues {
  readonly taken = new Set<string>();

  constructor(readonly model: MinuteModel) {}

  capacity = (lock: string): number => this.model.input.lock_defs?.[lock]?.capacity ?? 1;
  held = (lock: string): number => this.model.running().reduce((sum, action) => sum + (action.locks.get(lock) ?? 0), 0);

  ask(action: ModelAction, t: number): void {
    action.state = 'waiting';
    action.request = this.model.requests++;
    action.askedAt = t;
    if (action.firstRequest < 0) action.firstRequest = action.request;
  }

  reject(action: ModelAction, code: string, t: number): void {
    if (action.state === 'held') this.taken.delete(action.given.id);
    action.state = 'rejected';
    this.model.rejections.push({ id: action.given.id, code, minute: t });
  }

  /** Whether an action that it comes after has not ended and never will. */
  isHopeless(action: ModelAction): boolean {
    return (action.given.after ?? []).some((id) => {
      const owners = this.model.all.filter((a) => a.given.id === id && a.state !== 'rejected');
      return owners.length === 0 || owners.every((a) => a.state === 'cancelled');
    });
  }

  hasEnded = (id: string): boolean => this.model.all.some((a) => a.given.id === id && a.state === 'ended');

  comesAfterItself(action: ModelAction): boolean {
    const reached = new Set(action.given.after ?? []);
    for (let size = -1; size !== reached.size; ) {
      size = reached.size;
      for (const other of this.model.all)
        if (reached.has(other.given.id) && (other.state === 'held' || this.isToCome(other)))
          for (const id of other.given.after ?? []) reached.add(id);
    }
    return reached.has(action.given.id);
  }

  isToCome = (action: ModelAction): boolean => action.state === 'future' && !this.taken.has(action.given.id);

  admit(action: ModelAction, t: number): void {
    const { model } = this;
    const { id, verb, after = [] } = action.given;
    const known = Object.hasOwn(model.input.action_defs, verb) ? model.input.action_defs[verb]! : undefined;
    const isNew = action.state === 'future';
    if (isNew && this.taken.has(id)) {
      this.finish(action, 'DuplicateActionId', t);
      return;
    }
    if (known === undefined) {
      this.finish(action, 'UnknownVerb', t);
      return;
    }
    const fault = this.faultOf(action);
    if (fault !== null) {
      this.finish(action, fault, t);
      return;
    }
    if (isNew && after.length > 0) {
      if (this.isHopeless(action) || this.comesAfterItself(action)) {
        this.finish(action, 'UnmetDependency', t);
        return;
      }
    }
    if (!after.every(this.hasEnded)) {
      action.state = 'held';
      this.taken.add(id);
      return;
    }
    const needs = model.needs(action);
    const waits = model.waitsForStock(action);
    if (!waits && this.isShort(action)) {
      this.finish(action, 'InsufficientResources', t);
      return;
    }
    this.takeLocks(action);
    if ((known.on_conflict ?? model.options.lock_policy) === 'fail' && this.hasConflict(action)) {
      this.finish(action, 'CannotAcquireLock', t);
      return;
    }
    this.taken.add(id);
    if (!waits) {
      for (const { name, amount } of needs) model.stocks.get(name)!.reserved += amount;
      action.hasReserved = true;
    }
    this.ask(action, t);
  }

  finish(action: ModelAction, code: string, t: number): void {
    action.locks = new Map();
    this.reject(action, code, t);
    this.model.rejectUnmet(t);
  }

  takeLocks(action: ModelAction): void {
    const { input, options } = this.model;
    const broken = action.group === 'repair' ? action.given.id.split(':')[1] : undefined;
    const extra = (input.outages ?? []).flatMap(({ lock, repair }) => {
      return lock === broken && typeof repair === 'object' && 'verb' in repair ? (repair.locks ?? []) : [];
    });
    for (const need of [...(this.model.def(action).locks ?? []), ...(broken === undefined ? [] : extra)]) {
      const { name, units = 1 } = typeof need === 'string' ? { name: need } : need;
      if (name !== broken) action.locks.set(name, Math.max(units, action.locks.get(name) ?? 1));
    }
    const own = `actor:${action.given.actor}`;
    if (options.actor_exclusive && !action.locks.has(own)) action.locks.set(own, 1);
  }

  isPriority = (lock: string): boolean => this.model.input.lock_defs?.[lock]?.order === 'priority';

  faultOf(action: ModelAction): string | null {
    const copy: ModelAction = { ...action, locks: new Map() };
    this.takeLocks(copy);
    const locks = [...copy.locks.keys()].filter((lock) => !lock.startsWith('actor:') || this.capacity(lock) !== 1);
    const ordered = locks.filter(this.isPriority).length;
    const mixed = ordered > 0 && (ordered < copy.locks.size || this.model.waitsForStock(action));
    if (mixed) return 'InvalidAction';
    return [...copy.locks].some(([lock, units]) => units > this.capacity(lock)) ? 'CannotAcquireLock' : null;
  }

  isShort(action: ModelAction): boolean {
    const needs = this.model.needs(action);
    return needs.some(({ name }) => {
      const { stock, reserved } = this.model.stocks.get(name) ?? { stock: Number.NEGATIVE_INFINITY, reserved: 0 };
      const wanted = needs.filter((need) => need.name === name).reduce((sum, { amount }) => sum + amount, 0);
      return stock - reserved < wanted;
    });
  }

  /** Whether a lock that it needs is awaited, down or has too few units left, or a resource that it waits for is awaited. */
  hasConflict(action: ModelAction): boolean {
    const others = this.model.waiting();
    return (
      [...action.locks].some(([lock, units]) => {
        const isFree = !this.model.down.has(lock) && this.capacity(lock) - this.held(lock) >= units;
        return !isFree || others.some((other) => other.locks.has(lock));
      }) || this.levels(action).some((name) => others.some((other) => this.levels(other).includes(name)))
    );
  }

  /** The resources in whose queues it stands. */
  levels(action: ModelAction): string[] {
    const waits = this.model.waitsForStock(action) && !action.hasReserved;
    return waits ? this.model.needs(action).map(({ name }) => name) : [];
  }

  isBefore(a: ModelAction, b: ModelAction, lock: string): boolean {
    if (this.isPriority(lock) && a.priority !== b.priority) return a.priority > b.priority;
    return a.request < b.request;
  }

  /** Those who may start in this minute; they hold their locks from now on. */
  starting(t: number): ModelAction[] {
    const starting = this.preempting(t);
    for (let changed = true; changed; ) {
      changed = false;
      for (const action of this.model.waiting()) {
        if (starting.includes(action) || !this.mayStart(action, starting)) continue;
        this.reserve(action);
        starting.push(action);
        changed = true;
      }
    }
    return starting;
  }

  mayStart(action: ModelAction, starting: readonly ModelAction[]): boolean {
    const queue = this.model.waiting().filter((other) => other !== action && !starting.includes(other));
    const first =
      [...action.locks.keys()].every((lock) => {
        return !queue.some((other) => other.locks.has(lock) && this.isBefore(other, action, lock));
      }) &&
      this.levels(action).every((name) => {
        return !queue.some((other) => this.levels(other).includes(name) && other.request < action.request);
      });
    return first && this.isFree(action, starting) && (this.levels(action).length === 0 || !this.isShort(action));
  }

  isFree(action: ModelAction, starting: readonly ModelAction[]): boolean {
    return [...action.locks].every(([lock, units]) => {
      const soon = starting.reduce((sum, other) => sum + (other.locks.get(lock) ?? 0), 0);
      return !this.model.down.has(lock) && this.held(lock) + soon + units <= this.capacity(lock);
    });
  }

  reserve(action: ModelAction): void {
    if (action.hasReserved) return;
    for (const { name, amount } of this.model.needs(action)) this.model.stocks.get(name)!.reserved += amount;
    action.hasReserved = true;
  }

  preempting(t: number): ModelAction[] {
    const { model } = this;
    const starting: ModelAction[] = [];
    const candidates = model
      .waiting()
      .filter((a) => model.def(a).preempts && a.locks.size + this.levels(a).length > 0)
      .sort((a, b) => b.priority - a.priority || a.request - b.request);
    for (const action of candidates) {
      const victims = this.victimsOf(action, starting);
      if (victims === null || (this.levels(action).length > 0 && this.isShort(action))) continue;
      for (const victim of victims) model.stop(victim, t);
      this.reserve(action);
      starting.push(action);
      for (const victim of victims) this.ask(victim, t);
    }
    return starting;
  }

  victimsOf(action: ModelAction, starting: readonly ModelAction[]): ModelAction[] | null {
    const { model } = this;
    const queue = model.waiting().filter((other) => other !== action && !starting.includes(other));
    const ahead = queue.filter(
      (w) =>
        [...action.locks.keys()].some((lock) => w.locks.has(lock) && this.isBefore(w, action, lock)) ||
        this.levels(action).some((name) => this.levels(w).includes(name) && w.request < action.request),
    );
    if (ahead.some((w) => w.priority >= action.priority)) return null;
    const victims: ModelAction[] = [];
    for (const lock of [...action.locks.keys()].sort(byUnit(action))) {
      if (model.down.has(lock)) return null;
      const free = () =>
        this.capacity(lock) -
        model
          .running()
          .filter((r) => !victims.includes(r))
          .reduce((sum, r) => sum + (r.locks.get(lock) ?? 0), 0) -
        starting.reduce((sum, s) => sum + (s.locks.get(lock) ?? 0), 0);
      const candidates = model
        .running()
        .filter((r) => r.locks.has(lock) && model.def(r).interruptible && r.priority < action.priority)
        .sort((a, b) => a.priority - b.priority || b.startOrder - a.startOrder);
      for (const one of candidates) if (free() < action.locks.get(lock)! && !victims.includes(one)) victims.push(one);
      if (free() < action.locks.get(lock)!) return null;
    }
    if ([...action.locks.keys()].some((lock) => this.capacity(lock) > 1))
      return victims.sort((a, b) => a.priority - b.priority || b.startOrder - a.startOrder);
    return victims.sort((a, b) => a.startOrder - b.startOrder);
  }

  checkUnits(): void {
    for (const action of this.model.running())
      for (const lock of action.locks.keys())
        if (this.held(lock) > this.capacity(lock)) throw new Error(`the model itself gave ${lock} away twice`);
  }
}

/** Locks in code-unit order, the own lock of an actor last. */
function byUnit(action: ModelAction): (a: string, b: string) => number {
  const rank = (lock: string) => (lock === `actor:${action.given.actor}` ? 1 : 0);
  return (a, b) => rank(a) - rank(b) || (a < b ? -1 : a > b ? 1 : 0);
}
