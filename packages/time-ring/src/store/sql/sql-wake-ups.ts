import type { AnyKysely, HoraeDatabase } from '@horae/clock-store/storage';
import type { WakeUps } from '../wake-ups.js';

/** Where nodes hear that there is work for them. The text is the owners that are woken; none means all nodes. */
export const WAKE_CHANNEL = 'ring-wake';

/** A message is less than 8,000 bytes; an owner is 36. */
const MAX_OWNERS_PER_MESSAGE = 100;

/** Wakes nodes when the transaction of `db` commits, all of them for `UNOWNED`. Databases without messages have nodes that look by themselves. */
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
