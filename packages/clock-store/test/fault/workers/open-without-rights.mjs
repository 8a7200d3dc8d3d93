// Opens a database as a user who is not root and may not write there; answers with the error.
import { openDatabase } from '@horae/clock-store/storage';
import 'better-sqlite3';
import 'kysely';

const NOBODY = 65_534;

process.on('message', async ({ urls }) => {
  // Everything that will be needed is read before the rights are given up.
  await (await openDatabase('sqlite::memory:')).close();
  if (process.getuid?.() === 0) {
    process.setgid(NOBODY);
    process.setuid(NOBODY);
  }
  const answers = [];
  for (const url of urls) {
    try {
      const database = await openDatabase(url);
      await database.close();
      answers.push({ code: 'opened', message: '' });
    } catch (error) {
      answers.push({ code: error.code, message: error.message });
    }
  }
  process.send(answers);
});
process.send('ready');
