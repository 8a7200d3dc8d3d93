import type { ActionInstance, EpochInput } from '../../src/index.js';
import { type Distribution, draw } from '../../src/interchange/distribution.js';

const EFFORT: Record<string, number> = { low: 90, medium: 100, high: 110 };
const SKILL = [125, 100, 85, 70];

/** Moments as minutes from 1970; numbers count from the epoch's start. */
export function momentOf(input: EpochInput, at: string | number): number {
  const origin = isoMinute(input.epoch.start_at);
  return typeof at === 'number' ? origin + at : isoMinute(at);
}

const isoMinute = (iso: string): number => Math.ceil(Date.parse(iso.endsWith('Z') ? iso : `${iso}Z`) / 60_000);

/** Whole minutes from a number or a law. The numbers of a law come from the package: what is judged is what is done with them. */
export function modelMinutes(
  given: number | Distribution,
  purpose: Parameters<typeof draw>[1],
  seed: number | string,
  id: string,
  attempt: number,
): number {
  return typeof given === 'number' ? given : Math.max(1, Math.ceil(draw(given, purpose, seed, id, attempt)));
}

/** Hundredths are enough for the modifiers that the scenarios draw. */
export function modelDuration(
  input: EpochInput,
  action: ActionInstance,
  minute: number,
  seed: number | string,
): number {
  const def = input.action_defs[action.verb]!;
  const level = input.skills?.[action.actor]?.[def.skill ?? action.verb] ?? 1;
  const base = modelMinutes(action.duration_min ?? def.base_duration_min, 'duration', seed, action.id, 1);
  let numerator = BigInt(base * EFFORT[def.effort ?? 'medium']! * SKILL[Math.min(3, Math.round(level))]!);
  let denominator = 10_000n;
  const ofDay = ((minute % 1440) + 1440) % 1440;
  for (const { factor, verb, from = 0, to = 1440 } of input.modifiers ?? []) {
    if (!isInside(ofDay, from, to) || (verb !== undefined && verb !== action.verb)) continue;
    numerator *= BigInt(Math.round(factor * 100));
    denominator *= 100n;
  }
  let minutes = 1;
  while (BigInt(minutes) * denominator < numerator) minutes++;
  return minutes;
}

/** Walks through the window minute by minute. */
function isInside(ofDay: number, from: number, to: number): boolean {
  if (from === 0 && to === 1440) return true;
  if (from === to) return false;
  for (let m = from; m !== to % 1440 || m === from; m = (m + 1) % 1440) {
    if (m === ofDay) return true;
    if ((m + 1) % 1440 === to % 1440) return false;
  }
  return false;
}

/** All arrivals of an input, in the order of their minutes and sources. */
export function modelArrivals(input: EpochInput, minutes: number, seed: number | string) {
  const arrivals: { given: ActionInstance; minute: number; source: number }[] = [];
  for (const [source, arrival] of (input.arrivals ?? []).entries()) {
    const origin = momentOf(input, 0);
    const from = arrival.from === undefined ? 0 : momentOf(input, arrival.from) - origin;
    const to = arrival.to === undefined ? minutes : momentOf(input, arrival.to) - origin;
    let sum = 0;
    for (let n = 1; n <= (arrival.count ?? 10_000); n++) {
      const id = arrival.id.replace('{n}', String(n));
      sum += draw(arrival.every as Distribution, 'arrival', seed, id, 1);
      const minute = from + Math.ceil(sum - 1e-9);
      if (minute >= Math.min(to, minutes)) break;
      const { verb, actor = id, priority, patience_min } = arrival;
      const given = {
        id,
        actor,
        verb,
        submitted_at: minute,
        ...(priority === undefined ? {} : { priority }),
        ...(patience_min === undefined ? {} : { patience_min }),
      };
      arrivals.push({ given, minute, source });
    }
  }
  return arrivals;
}
