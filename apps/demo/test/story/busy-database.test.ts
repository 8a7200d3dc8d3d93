import Database from 'better-sqlite3';
import { expect, onTestFinished, test, vi } from 'vitest';
import { askRaw, tokenOf } from '../stage/ask-raw.js';
import { startDemoProcess } from '../stage/demo-process.js';

test('a node that is told to rest while another process writes the database comes back, and the server goes on', async () => {
  const demo = await startDemoProcess(['--port', '0']);
  onTestFinished(async () => void (await demo.end()));
  const headers = { 'content-type': 'application/json', 'x-horae-token': await tokenOf(demo) };
  const rest = () => askRaw(demo, '/api/ring/rest', { method: 'POST', headers, body: '{}' });
  const overview = async () => (await askRaw(demo, '/api/events')).body;
  const other = new Database(demo.database);
  onTestFinished(() => void other.close());
  other.exec('begin immediate');
  expect((await rest()).status).toBeLessThan(300);
  await vi.waitFor(async () => expect(await overview()).toContain('rests for'), { timeout: 60_000 });
  expect((await askRaw(demo, '/api/sim/presets')).status).toBe(200);
  other.exec('rollback');
  // The node that stopped answers no more; the one that has started again does.
  const add = () => askRaw(demo, '/api/ring/executors/add', { method: 'POST', headers, body: '{}' });
  await vi.waitFor(async () => expect((await add()).status).toBe(200), { timeout: 60_000, interval: 500 });
});
