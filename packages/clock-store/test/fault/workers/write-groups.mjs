// Writes groups of ten rows, one transaction each, and tells when it is inside one and when it has committed one.
import { openDatabase } from '@horae/clock-store/storage';

process.on('message', async ({ url, from, holdAt }) => {
  const database = await openDatabase(url);
  for (let group = from; ; group++) {
    await database.transaction(
      async (trx) => {
        for (let part = 0; part < 10; part++) {
          await trx.insertInto('horae_groups').values({ grp: group, part }).execute();
          if (part === 4) process.send({ inside: group });
          if (part === 4 && group === holdAt) await new Promise(() => {});
          // Lets the message leave, so that the kill may come anywhere in the second half, the commit included.
          if (part >= 4) await new Promise((resolve) => setImmediate(resolve));
        }
      },
      { immediate: group % 2 === 0 },
    );
    process.send({ committed: group });
    await new Promise((resolve) => setImmediate(resolve));
  }
});
process.send('ready');
