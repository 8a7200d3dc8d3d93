/**
 * How much of a simulation travels to the page. A scenario of 200 kB can name one verb with thousands of locks and thousands of actions
 * that use it; a person can read far less.
 */
export const bounds = {
  /** Locks of all actions together: the engine visits each of them repeatedly. */
  lockUses: 20_000,
  actions: 3_000,
  lanes: 400,
  locksPerLane: 12,
  piecesPerLane: 100,
  linksPerExplanation: 8,
  logLines: 400,
  messages: 200,
  names: 200,
  queue: 50,
  nameLength: 200,
  messageLength: 400,
  /** Sources of arrivals, and of outages. */
  sources: 50,
  /** Actions of one source of arrivals. */
  arrivals: 5_000,
  figures: 100,
  /** Points of one queue over time; a chart is not wider. */
  queuePoints: 240,
} as const;

/** Characters of JSON that each part of a run may fill; all of them together, and a branch beside it, are less than a million. */
export const characters = {
  lanes: 250_000,
  figures: 70_000,
  log: 65_000,
  rejections: 25_000,
  ignored: 15_000,
} as const;

/** The first items of a list, as many as the limit allows and as fit into so many characters of JSON. */
export function fitting<T>(items: readonly T[], limit: number, room: number): T[] {
  let left = room;
  const taken: T[] = [];
  for (const item of items.slice(0, limit)) {
    left -= JSON.stringify(item).length + 1;
    if (left < 0) break;
    taken.push(item);
  }
  return taken;
}

/** A name, cut to a readable length. */
export function cutName(name: string): string {
  return cut(name, bounds.nameLength);
}

/** A message, cut to a readable length. */
export function cutMessage(message: string): string {
  return cut(message, bounds.messageLength);
}

/** The first names of a list. */
export function firstNames(names: readonly string[], limit: number = bounds.names): string[] {
  return names.slice(0, limit).map(cutName);
}

function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}
