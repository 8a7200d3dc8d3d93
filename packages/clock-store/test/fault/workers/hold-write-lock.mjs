// Takes the write lock of a SQLite file, says so, and keeps it for the given time without letting go.
import Database from 'better-sqlite3';

const [path, holdMs] = process.argv.slice(2);
const database = new Database(path);
database.exec('begin immediate');
database.exec("insert into horae_notes (text) values ('from the holder')");
process.send('held', () => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, Number(holdMs));
  database.exec('commit');
  database.close();
  process.disconnect();
});
