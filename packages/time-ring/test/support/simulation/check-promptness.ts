import { UNOWNED } from '../../../src/model/run.js';
import { type Breach, changesOf, startsOf, toldOf } from './check-history.js';
import { LEASE_MS } from './history-plan.js';
import type { History } from './history-record.js';

/** What is promised of time, where nothing but crashes happens. */
export function checkPromptness(history: History): Breach[] {
  if (history.plan.weather === 'storm') return [];
  return [...takeovers(history), ...(history.plan.weather === 'calm' ? calm(history) : [])];
}

/** A run is taken over at most a lease and a second after its owner's last heartbeat. */
function takeovers(history: History): Breach[] {
  const lastBeat = new Map<string, number>();
  const owner = new Map<number, string>();
  const breaches: Breach[] = [];
  for (const event of history.events) {
    if (event.kind !== 'change') continue;
    const { change } = event;
    if (change.kind === 'heartbeat') lastBeat.set(change.owner, change.beatAt);
    if (change.kind === 'inserted') owner.set(change.id, change.run.owner!);
    if (change.kind === 'handed-back') owner.set(change.id, UNOWNED);
    if (change.kind === 'parked' || change.kind === 'postponed') owner.delete(change.id);
    if (change.kind === 'received') owner.set(change.id, change.owner);
    if (change.kind !== 'taken') continue;
    const from = owner.get(change.row.id);
    const silentMs = event.at - (lastBeat.get(from ?? '') ?? event.at);
    if (silentMs > LEASE_MS + 1_000) {
      breaches.push({
        rule: 'takeover',
        message: `run ${change.row.id} was taken over after ${silentMs} ms of silence`,
      });
    }
    if (from !== UNOWNED && silentMs <= LEASE_MS) {
      breaches.push({
        rule: 'takeover',
        message: `run ${change.row.id} was taken from ${from}, silent for ${silentMs} ms`,
      });
    }
    owner.set(change.row.id, change.row.owner!);
  }
  return breaches;
}

/** Where nothing happens, nothing is refused, nothing is taken over and nothing that is not queued is late. */
function calm(history: History): Breach[] {
  const withdrawn = new Set(changesOf(history, 'withdrawn').map(({ id }) => id));
  const refused = toldOf(history, ['result-refused', 'pass-failed'])
    // A kill and a result may cross, and so may a stop and the refusal of a busy executor; the later one is refused.
    .filter(
      ({ name, event }) => name === 'pass-failed' || (!history.killed.has(event.runId) && !withdrawn.has(event.runId)),
    )
    .map(({ name, event }) => ({ rule: 'calm', message: `${name} ${JSON.stringify(event)}` }));
  const taken = changesOf(history, 'taken').map(({ row }) => ({
    rule: 'calm',
    message: `run ${row.id} changed hands`,
  }));
  const firedAt = new Map(history.rows.map((row) => [row.id, row.firedAt]));
  // What another node's executor is to do is there within a quarter of a second; what waits, waits.
  const handedOver = new Set(changesOf(history, 'received').map(({ id }) => id));
  const fireOf = new Map(history.rows.map((row) => [row.id, row.fireId]));
  const waited = [...changesOf(history, 'parked'), ...changesOf(history, 'postponed')];
  const parked = new Set(waited.map(({ id }) => fireOf.get(id)));
  const late = startsOf(history).flatMap(({ context: { runId, scheduleTime, triggerType } }) => {
    const lateMs = (firedAt.get(runId) ?? 0) - (scheduleTime ?? 0);
    const mostMs = handedOver.has(runId) ? 1_250 : 1_000;
    return triggerType === 'schedule' && !parked.has(fireOf.get(runId)) && lateMs >= mostMs
      ? [{ rule: 'calm', message: `run ${runId} was fired ${lateMs} ms late` }]
      : [];
  });
  return [...refused, ...taken, ...late];
}
