import type { AlertDelivery } from '../../model/alert.js';
import { type RunRow, WAITING } from '../../model/run.js';
import { type AlertMark, type AlertReads, type AlertVerbs, type NewAlert, waitingMark } from '../alert-store.js';
import { copy, type Journal, JournalledMap } from './journalled-map.js';

type Row = NewAlert & {
  readonly id: number;
  readonly tries: number;
  readonly firstTriedAt: number | null;
  readonly error: string | null;
};

/** The outbox of the memory store. */
export function memoryAlerts(journal: Journal, openRuns: () => readonly RunRow[]): AlertReads & AlertVerbs {
  const rows = new JournalledMap<number, Row>(journal);
  const marks = new JournalledMap<string, AlertMark>(journal);
  const over = new JournalledMap<number, AlertDelivery>(journal);
  let lastId = 0;
  const stored = ({ heldKey: _, error: __, ...row }: Row) => copy(row);

  return {
    alertDeliveries: async ({ state, beforeId, limit }) =>
      [...rows.values().map(waitingDelivery), ...over.values()]
        .filter((one) => (state === undefined || one.state === state) && one.message.id < (beforeId ?? Infinity))
        .sort((a, b) => b.message.id - a.message.id)
        .slice(0, limit)
        .map(copy),
    dueAlerts: async ({ channels, until, limit }) =>
      rows
        .values()
        .filter(({ channel, dueAt }) => dueAt <= until && (channels === null || channels.includes(channel)))
        .sort((a, b) => a.dueAt - b.dueAt || a.id - b.id)
        .slice(0, limit)
        .map(stored),
    insertAlerts: async (alerts) => {
      for (const alert of alerts) {
        const held = rows.values().find(({ heldKey }) => heldKey !== null && heldKey === alert.heldKey);
        if (held !== undefined) rows.set(held.id, { ...held, count: held.count + alert.count, body: copy(alert.body) });
        else {
          lastId += 1;
          rows.set(lastId, { ...copy(alert), id: lastId, tries: 0, firstTriedAt: null, error: null });
        }
      }
    },
    beginAlerts: async (ids, at) => {
      for (const id of ids) {
        const row = rows.get(id);
        if (row !== undefined) rows.set(id, { ...row, heldKey: null, firstTriedAt: row.firstTriedAt ?? at });
      }
    },
    postponeAlert: async (id, change) => {
      const row = rows.get(id);
      if (row !== undefined) rows.set(id, { ...row, ...change });
    },
    endAlert: async (id, { state, tries, at, error }) => {
      const row = rows.get(id);
      if (row === undefined) return false;
      rows.delete(id);
      over.set(id, { ...waitingDelivery(row), state, tries, dueAt: null, endedAt: at, error });
      return true;
    },
    sweepDeliveries: async (before) => {
      for (const { message, endedAt } of over.values()) if (endedAt! < before) over.delete(message.id);
    },
    takeHeldAlerts: async (keys) => {
      const held = rows.values().filter(({ heldKey }) => heldKey !== null && keys.includes(heldKey));
      for (const { id } of held) rows.delete(id);
      return held.map(stored);
    },
    holdMarks: async (names) => names.flatMap((name) => marks.get(name) ?? []),
    addMarks: async (given) => {
      const added = given.filter(({ name }) => !marks.has(name));
      for (const mark of added) marks.set(mark.name, { ...mark });
      return new Set(added.map(({ name }) => name));
    },
    putMarks: async (given) => {
      for (const mark of given) marks.set(mark.name, { ...mark });
    },
    deleteMarks: async (names) => {
      for (const name of names) marks.delete(name);
    },
    sweepMarks: async (before) => {
      for (const { name, until } of marks.values()) if (until < before) marks.delete(name);
    },
    longWaitingRuns: async ({ jobId, channel, readyBefore, limit }) =>
      openRuns()
        .filter((row) => row.owner === WAITING && row.jobId === jobId && row.readyAt <= readyBefore)
        .filter(({ id }) => !marks.has(waitingMark(id, channel)))
        .slice(0, limit)
        .map(copy),
  };
}

function waitingDelivery({ id, channel, count, at, body, tries, dueAt, error }: Row): AlertDelivery {
  return { channel, message: { ...body, id, count, at }, state: 'waiting', tries, dueAt, endedAt: null, error };
}
