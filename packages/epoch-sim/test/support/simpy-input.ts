import { type ActionDef, type EpochInput, type EpochResult, runEpoch } from '../../src/index.js';

/** What every action of an input asks for when, and how long it takes: what it does in a world without locks and shortages. */
function drawn(input: EpochInput): { id: string; submit: number; duration: number }[] {
  const action_defs: Record<string, ActionDef> = {};
  for (const [verb, { base_duration_min }] of Object.entries(input.action_defs))
    action_defs[verb] = { base_duration_min };
  const { outages: _outages, lock_defs: _locks, ...rest } = input;
  return runEpoch({ ...rest, action_defs })
    .schedule_events.filter(({ type }) => type === 'start')
    .map(({ action_id, t, meta }) => ({ id: action_id, submit: t, duration: meta.d_eff as number }));
}

/** The numbers of a model on one lock, for SimPy. */
export function queueModel(input: EpochInput, minutes: number, capacity: number): object {
  const patience = new Map(input.actions_submitted.map(({ id, patience_min }) => [id, patience_min]));
  const actions = drawn(input).map((action) => ({ ...action, patience: patience.get(action.id) }));
  return { model: 'queue', minutes, capacity, actions };
}

/** The numbers of the machine shop: how long each part takes, and how long each machine works from one repair to the next outage. */
export function machineShopModel(input: EpochInput, result: EpochResult, minutes: number): object {
  const parts = drawn(input);
  const machines = Array.from({ length: 10 }, (_, i) => {
    const name = `machine ${i}`;
    const own = result.schedule_events.filter(({ action_id }) => action_id === `lock:${name}`);
    const gaps = own
      .filter(({ type }) => type === 'outage')
      .map(({ t }) => t - (own.findLast((event) => event.type === 'restore' && event.t < t)?.t ?? 0));
    const made = parts.filter(({ id }) => id.startsWith(`part ${i}.`));
    return { name, gaps, parts: made.map(({ id, duration }) => [id, duration]) };
  });
  return { model: 'machine-shop', minutes, repair: 30, job: 30, machines };
}

/** The numbers of the gas station. */
export function gasStationModel(input: EpochInput, minutes: number): object {
  const cars = drawn(input).map((car) => ({ ...car, litres: Number(/^car (\d+)\./.exec(car.id)![1]) }));
  return { model: 'gas-station', minutes, pumps: 2, tank: 200, low: 50, drive: 300, cars };
}

/** The numbers of the movie theatre. */
export function movieModel(input: EpochInput, minutes: number): object {
  const orders = drawn(input).map(({ id, submit }) => {
    const [, tickets, movie] = /^(\d+) for (.*) #/.exec(id)!;
    return { id, submit, tickets: Number(tickets), movie: movie!, patience: 60 };
  });
  return { model: 'movie-renege', minutes, tickets: input.resources, orders };
}
