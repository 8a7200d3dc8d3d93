import { fork } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { benchFiles } from './discover.js';
import { type Machine, type PublishedBench, publish, renderPage } from './page.js';
import type { FileTask } from './run-file.js';
import { renderComparison, renderTable } from './table.js';
import type { BenchReport } from './verdict.js';

const help = `pnpm bench [name…] [options]   our code and its peers, interleaved in one run

  pnpm bench                     everything
  pnpm bench cron/next           every bench whose name begins with cron/next
  pnpm bench --list              the names

  --rounds N       rounds in which every contender has one turn (default 11)
  --turn MS        how long one turn takes (default 50)
  --json FILE      where the figures are saved (default bench-results/latest.json)
  --compare FILE   also compare with an earlier saved run
  --report         publish the figures: docs/benchmarks.json and docs/benchmarks.md, benches that were not run stay
  --help`;

const root = resolve(dirname(fileURLToPath(import.meta.url)), '../../..');

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string', default: '11' },
    turn: { type: 'string', default: '50' },
    json: { type: 'string', default: join(root, 'bench-results', 'latest.json') },
    compare: { type: 'string' },
    report: { type: 'boolean', default: false },
    list: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});

if (values.help) {
  console.log(help);
} else {
  const task = {
    prefixes: positionals,
    rounds: wholeNumber('rounds', values.rounds, 3),
    turnMs: wholeNumber('turn', values.turn, 1),
    list: values.list,
  };
  const reports: BenchReport[] = [];
  let failures = 0;
  for (const file of benchFiles(root)) {
    const outcome = await runFile({ ...task, file });
    reports.push(...outcome.reports);
    if (outcome.failure !== undefined) {
      failures++;
      console.error(`\n${relative(root, file)} failed: ${outcome.failure}`);
    }
  }
  if (!values.list) finish(reports);
  if (failures > 0) process.exitCode = 1;
}

function finish(reports: readonly BenchReport[]): void {
  if (reports.length === 0) {
    console.error(`No bench begins with ${positionals.join(' or ') || 'anything'}; pnpm bench --list shows the names`);
    process.exitCode = 2;
    return;
  }
  if (values.compare !== undefined) {
    console.log(renderComparison(reports, JSON.parse(readFileSync(values.compare, 'utf8')).reports));
  }
  mkdirSync(dirname(values.json), { recursive: true });
  const machine: Machine = {
    node: process.version,
    cpu: cpus()[0]?.model,
    cores: cpus().length,
    at: new Date().toISOString(),
  };
  writeFileSync(values.json, `${JSON.stringify({ machine, reports }, null, 1)}\n`);
  if (values.report) writePage(reports, machine);
  console.log(
    `\nFigures saved in ${relative(process.cwd(), values.json)} (${reports.length} benches, Node ${process.version})`,
  );
}

function writePage(reports: readonly BenchReport[], machine: Machine): void {
  const figures = join(root, 'docs', 'benchmarks.json');
  const before: PublishedBench[] = existsSync(figures) ? JSON.parse(readFileSync(figures, 'utf8')) : [];
  const published = publish(before, reports, machine);
  writeFileSync(figures, `${JSON.stringify(published, null, 1)}\n`);
  writeFileSync(join(root, 'docs', 'benchmarks.md'), renderPage(published));
  console.log(`\ndocs/benchmarks.md holds ${published.length} benches, ${reports.length} of them of this run`);
}

function runFile(task: FileTask): Promise<{ reports: BenchReport[]; failure?: string }> {
  const child = fork(fileURLToPath(new URL('./run-file.ts', import.meta.url)), [], {
    execArgv: ['--expose-gc', '--import', 'tsx'],
  });
  const reports: BenchReport[] = [];
  let failure: string | undefined;
  // biome-ignore lint/suspicious/noExplicitAny: the messages are those of run-file.ts
  child.on('message', (message: any) => {
    if (message.kind === 'listed') console.log(message.name);
    else if (message.kind === 'failed') failure = message.message;
    else if (message.kind === 'progress') progress(`${message.name}: round ${message.round} of ${message.rounds}`);
    else {
      progress('');
      reports.push(message.report);
      console.log(renderTable(message.report));
    }
  });
  child.send(task);
  return new Promise((done) => {
    child.on('exit', (code) => {
      if (code !== 0) failure ??= `its process ended with code ${code}`;
      done({ reports, failure });
    });
  });
}

/** One line that rewrites itself on a terminal, nothing in a pipe. */
function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
}

function wholeNumber(option: string, text: string, least: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= least) return value;
  console.error(`--${option} takes a whole number from ${least} on, got "${text}"`);
  process.exit(2);
}
