// Opens each database it is told and migrates it at once; answers with the outcome.
import { openDatabase } from '@horae/clock-store/storage';
import { sql } from 'kysely';

const migrations = ['one', 'two', 'three'].map((name) => ({
  name,
  async up(db) {
    await sql`create table if not exists horae_ran (name varchar(40) not null)`.execute(db);
    await sql`insert into horae_ran (name) values (${name})`.execute(db);
  },
}));

process.on('message', async (url) => {
  try {
    const database = await openDatabase(url);
    const outcome = await database.migrate('race', migrations);
    await database.close();
    process.send(outcome);
  } catch (error) {
    process.send(`${error.code ?? ''} ${error.stack}`);
  }
});
process.send('ready');
