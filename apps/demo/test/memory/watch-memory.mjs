import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

// `pnpm memory [minutes]`: runs the built demo with a page listening and prints its memory each minute; fails when it keeps growing.
const minutes = Number(process.argv[2] ?? 60);
if (!(minutes >= 3)) throw new Error('wanted: a number of minutes, 3 or more');
const folder = mkdtempSync(join(tmpdir(), 'horae-memory-'));
const program = fileURLToPath(new URL('../../dist/server.js', import.meta.url));
const server = spawn(process.execPath, ['--expose-gc', program, '--port', '0', '--database', join(folder, 'demo.db')], {
  stdio: ['ignore', 'pipe', 'inherit'],
});
const address = await new Promise((resolve) =>
  server.stdout.on('data', (chunk) => {
    const found = /http:\/\/\S+/.exec(String(chunk));
    if (found) resolve(found[0]);
  }),
);

// A page that listens and forgets.
const stream = await fetch(`${address}api/events`);
let bytes = 0;
const sink = new WritableStream({
  write(chunk) {
    bytes += chunk.length;
  },
});
const listening = stream.body.pipeTo(sink).catch(() => {});

const readings = [];
for (let minute = 1; minute <= minutes; minute++) {
  await sleep(60_000);
  const status = readFileSync(`/proc/${server.pid}/status`, 'utf8');
  const megabytes = Number(/VmRSS:\s+(\d+)/.exec(status)[1]) / 1024;
  readings.push(megabytes);
  console.log(`minute ${minute}: ${megabytes.toFixed(1)} MB, ${(bytes / 1e6).toFixed(1)} MB sent to one page`);
}
server.kill('SIGINT');
await listening;
rmSync(folder, { recursive: true, force: true });

// Caches and the heap settle in the first third; after that the medians of the two halves are compared.
const settled = readings.slice(Math.floor(readings.length / 3));
const half = Math.floor(settled.length / 2);
const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
const [before, after] = [median(settled.slice(0, half)), median(settled.slice(half))];
const growth = after - before;
console.log(`from ${before.toFixed(1)} MB to ${after.toFixed(1)} MB: ${growth > 15 ? 'it grows' : 'no growth'}`);
process.exit(growth > 15 ? 1 : 0);
