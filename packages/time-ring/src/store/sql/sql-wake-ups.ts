import type { AnyKysely, HoraeDatabase } from '@horae/clock-store/storage';
import type { WakeUps } from '../wake-ups.js';

/** The channel on which nodes are woken. The message lists the owners to wake; an empty one wakes all nodes. */
export const WAKE_CHANNEL = 'ring-wake';

/** A message must be shorter than 8,000 bytes; an owner takes 36. */
const MAX_OWNERS_PER_MESSAGE = 100;

/** Wakes nodes when the transaction of `db` commits; `UNOWNED` wakes all. Without messages in the database, the nodes poll instead. */
export async function wakeNodes(database: HoraeDatabase, db: AnyKysely, owners: readonly string[]): Promise<void> {
  const { messages } = database;
  if (messages === undefined) return;
  const distinct = [...new Set(owners)];
  for (let from = 0; from < distinct.length; from += MAX_OWNERS_PER_MESSAGE) {
    await messages.send(db, WAKE_CHANNEL, distinct.slice(from, from + MAX_OWNERS_PER_MESSAGE).join(' '));
  }
}

/** Null where the database carries no messages. */
export function sqlWakeUps(database: HoraeDatabase): WakeUps | null {
  const { messages } = database;
  if (messages === undefined) return null;
  return {
    get isConnected() {
      return messages.isListening;
    },
    listen: (onWake) =>
      messages.listen(WAKE_CHANNEL, (text) => {
        for (const owner of text === null ? [null] : text.split(' ')) onWake(owner);
      }),
    send: (owners) => wakeNodes(database, database.kysely, owners),
  };
}
