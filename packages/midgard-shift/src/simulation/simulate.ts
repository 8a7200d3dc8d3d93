import type { Random } from '@horae/clock-store';
import { editionOf } from '../editions/edition-of.js';
import type { EditionRules } from '../editions/edition-rules.js';
import type { Shift } from '../plan/timetable.js';
import { checkedInteger, refuse } from '../state/midgard-input-error.js';
import { checkState, frozenState, type MidgardState, type RegisteredNode } from '../state/midgard-state.js';
import { checkParameters, type ProtocolParameters } from '../state/protocol-parameters.js';
import { type PubKeyHash, positionOf } from '../state/pub-key-hash.js';
import { mergeAscending, OrderedOperators } from './ordered-operators.js';

/** Options of `simulate`. */
export interface SimulateOptions {
  /** How many new cycles to begin. */
  readonly cycles: number;
  /** Registrations to expect per cycle. Default 0. */
  readonly joins?: number;
  /** Retirements to expect per cycle. Default 0. */
  readonly retirements?: number;
  /** Chance, 0 to 1, that an operator misses its shift. Default 0. */
  readonly absences?: number;
  /** Called for every shift, in order. */
  onShift?(shift: Shift & { readonly missed: boolean }): void;
}

/** The counts of a simulation. */
export interface Simulation {
  readonly state: MidgardState;
  /** Shifts that began, one per transition; the one that was running at the start is not counted. */
  readonly shifts: number;
  readonly missed: number;
  readonly joined: number;
  readonly retired: number;
}

/**
 * Plays shift after shift until `cycles` rewinds are done or no operator is active. A shift is taken as soon as its operator can take it,
 * or, when the operator is absent, unsigned at its end. During it operators retire, then others register, in the window of the shift.
 * Registrants are activated when a rewind would otherwise pass them over. Equal inputs and an equal `random` produce an equal run. Before
 * Init nothing happens.
 */
export function simulate(
  state: MidgardState,
  options: SimulateOptions,
  parameters: ProtocolParameters,
  random: Random,
): Simulation {
  checkParameters(parameters);
  checkState(state);
  checkOptions(options);
  if (state.scheduler === null) return { state: frozenState(state), shifts: 0, missed: 0, joined: 0, retired: 0 };
  const world = new SimulatedWorld(state, parameters, random);
  const { cycles, joins = 0, retirements = 0, absences = 0, onShift } = options;
  let retiring = perShift(retirements, world.operators.size);
  let joining = perShift(joins, world.operators.size);
  for (let rewinds = 0; rewinds < cycles && world.operators.size > 0; ) {
    const missed = happens(absences, random);
    if (world.begin(missed)) {
      rewinds += 1;
      retiring = perShift(retirements, world.operators.size);
      joining = perShift(joins, world.operators.size);
    }
    onShift?.({ operator: world.operator, start: world.start, end: world.start + parameters.shiftDurationMs, missed });
    if (retirements > 0) world.retireSome(occurrences(retiring, random));
    if (joins > 0) world.registerSome(occurrences(joining, random));
  }
  return world.result();
}

class SimulatedWorld {
  readonly operators: OrderedOperators;
  operator: PubKeyHash;
  start: number;
  readonly #before: MidgardState;
  readonly #parameters: ProtocolParameters;
  readonly #edition: EditionRules;
  readonly #random: Random;
  /** Earliest first; those before `#activated` are active. */
  readonly #queue: RegisteredNode[];
  readonly #retired: PubKeyHash[] = [];
  #activated = 0;
  #shifts = 0;
  #missed = 0;
  #joined = 0;
  /** The operators that were in the queue at the start or joined since. */
  readonly #queued: Set<PubKeyHash>;

  constructor(state: MidgardState, parameters: ProtocolParameters, random: Random) {
    this.operator = state.scheduler!.operator;
    this.start = state.scheduler!.shiftStart;
    this.operators = new OrderedOperators(state.active, this.operator);
    this.#before = state;
    this.#parameters = parameters;
    this.#edition = editionOf(parameters);
    this.#random = random;
    this.#queue = state.registered.toReversed();
    this.#queued = new Set(this.#queue.map((node) => node.operator));
  }

  /** Moves on to the next shift; true when it begins a cycle. */
  begin(missed: boolean): boolean {
    const start = this.start + this.#parameters.shiftDurationMs;
    if (!this.operators.hasBelow())
      this.#activateDue(missed ? start + this.#parameters.shiftDurationMs : this.#edition.ownShiftFrom(start));
    const isRewind = !this.operators.hasBelow();
    this.operator = isRewind ? this.operators.takeGreatest() : this.operators.takeBelow();
    this.start = start;
    this.#shifts += 1;
    if (missed) this.#missed += 1;
    return isRewind;
  }

  retireSome(count: number): void {
    for (let each = 0; each < count && this.operators.size > 0; each++) {
      this.#retired.push(this.operators.removeRank(this.#random.below(this.operators.size)));
    }
  }

  registerSome(count: number): void {
    const { activationTimeOf, leastDistanceMs } = this.#edition;
    let activationTime = activationTimeOf(this.start + this.#parameters.shiftDurationMs, this.#parameters);
    for (let each = 0; each < count; each++) {
      const operator = this.#stranger();
      if (operator === null) return;
      // Where no two may be equal, a registration whose time is taken has a window that ends a little later.
      if (leastDistanceMs > 0)
        activationTime = Math.max(activationTime, (this.#queue.at(-1)?.activationTime ?? -Infinity) + leastDistanceMs);
      this.#queue.push({ operator, activationTime });
      this.#joined += 1;
    }
  }

  result(): Simulation {
    const { operator, start: shiftStart } = this;
    const state = frozenState({
      scheduler: { operator, shiftStart },
      hubOracle: this.#before.hubOracle,
      active: this.operators.present(),
      registered: this.#queue.slice(this.#activated).reverse(),
      retired: mergeAscending(this.#before.retired, this.#retired.toSorted()),
    });
    return { state, shifts: this.#shifts, missed: this.#missed, joined: this.#joined, retired: this.#retired.length };
  }

  /** A window that begins at `from` ends a millisecond later at the earliest: a registrant that forbids that end has to be activated. */
  #activateDue(from: number): void {
    const first = this.#activated;
    const isDue = (node: RegisteredNode) => this.#edition.latestRewindEnd(node.activationTime) <= from;
    while (this.#activated < this.#queue.length && isDue(this.#queue[this.#activated]!)) this.#activated += 1;
    const due = this.#queue.slice(first, this.#activated).map(({ operator }) => operator);
    this.operators.rebuild(due.sort(), this.operator);
  }

  /** An unused key; null when several draws in a row were taken, which only a poor `random` does. */
  #stranger(): PubKeyHash | null {
    const { active, retired } = this.#before;
    for (let tries = 0; tries < 8; tries++) {
      let key = '';
      for (let word = 0; word < 7; word++) key += this.#random.uint32().toString(16).padStart(8, '0');
      if (this.#queued.has(key) || positionOf(active, key) >= 0 || positionOf(retired, key) >= 0) continue;
      this.#queued.add(key);
      return key;
    }
    return null;
  }
}

/** Whether something of chance `chance` happens; draws nothing when it never does. */
function happens(chance: number, random: Random): boolean {
  return chance > 0 && random.uint32() < chance * 0x1_0000_0000;
}

/** How often something happens in a shift: always `whole` times, and once more by chance. */
interface Frequency {
  readonly whole: number;
  readonly chance: number;
}

/** The frequency of something expected `perCycle` times in a cycle of `length` shifts. */
function perShift(perCycle: number, length: number): Frequency {
  const expected = perCycle / Math.max(1, length);
  return { whole: Math.floor(expected), chance: expected % 1 };
}

function occurrences({ whole, chance }: Frequency, random: Random): number {
  return happens(chance, random) ? whole + 1 : whole;
}

function checkOptions({ cycles, joins = 0, retirements = 0, absences = 0 }: SimulateOptions): void {
  checkedInteger('options.cycles', cycles, 0);
  if (!(Number.isFinite(joins) && joins >= 0)) refuse('options.joins', 'a number, 0 or more', joins);
  if (!(Number.isFinite(retirements) && retirements >= 0))
    refuse('options.retirements', 'a number, 0 or more', retirements);
  if (!(absences >= 0 && absences <= 1)) refuse('options.absences', 'a chance from 0 to 1', absences);
}
