import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compilerProblem, diskProblem, networkProblem, nodeProblem } from './preflight.mjs';
import { runCommand } from './run-command.mjs';

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '../..');

const quiet = { TURBO_TELEMETRY_DISABLED: '1', DO_NOT_TRACK: '1', TURBO_NO_UPDATE_NOTIFIER: '1' };

/**
 * From a fresh clone to built packages: pnpm through npx, the packages of the lockfile, the build. What is already done is
 * skipped. Ends the process with one line and a remedy when something is missing.
 */
export async function bringUp() {
  stopOn(nodeProblem(process.version));
  await install();
  await runOrStop('Building the packages', 'turbo', ['run', 'build', '--output-logs=errors-only']);
}

/** Runs a program of the workspace (or pnpm itself) with pnpm and the workspace's commands on its PATH. */
export function inWorkspace(command, args, options = {}) {
  const version = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).packageManager;
  const whole = command === 'pnpm' ? args : ['exec', command, ...args];
  return runCommand('npx', ['--yes', version, ...whole], { cwd: root, ...options, env: { ...quiet, ...options.env } });
}

export function say(text) {
  console.log(`[horae] ${text}`);
}

async function install() {
  const stamp = join(root, 'node_modules', '.horae-installed');
  const wanted = inputsHash();
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return say('The packages are installed already.');
  stopOn(diskProblem(root));
  say('Installing the packages of the lockfile with pnpm (a minute or two)…');
  const progress = installProgress();
  // CI=true: pnpm asks no questions, and never changes the lockfile.
  const result = await inWorkspace('pnpm', ['install', '--frozen-lockfile', '--reporter=append-only'], {
    env: { CI: 'true' },
    onLine: progress.onLine,
  });
  progress.end();
  if (result.code !== 0) {
    console.error(result.output.split('\n').slice(-40).join('\n'));
    stopOn(compilerProblem(result.output) ?? diskProblem(root) ?? networkProblem(result.output));
    stopOn(`pnpm install ended with code ${result.code}; its last lines are above.`);
  }
  mkdirSync(dirname(stamp), { recursive: true });
  writeFileSync(stamp, wanted);
}

/** Tells a person how far it is, without the compiler's thousand lines. */
function installProgress() {
  let compilingSince = null;
  const heartbeat = setInterval(() => {
    if (compilingSince !== null)
      say(`  compiling better-sqlite3: ${Math.round((Date.now() - compilingSince) / 1000)} s so far`);
  }, 20_000);
  return {
    onLine(line) {
      if (/better-sqlite3 install/.test(line) && compilingSince === null) {
        compilingSince = Date.now();
        say('  better-sqlite3 fetches its addon or compiles it from source, which takes 2 to 4 minutes');
      }
      if (/better-sqlite3 install: (Done|Failed)/.test(line)) compilingSince = null;
      if (/^(Progress: .*done| ?WARN| ?ERR|Done in)/.test(line)) console.log(`  ${line.trim()}`);
    },
    end: () => clearInterval(heartbeat),
  };
}

/** Changes whenever an install could give something else: lockfile, manifests, the Node that addons are built for. */
function inputsHash() {
  const hash = createHash('sha256').update(process.version);
  for (const file of ['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'package.json', ...manifests()]) {
    hash.update(file).update(readFileSync(join(root, file)));
  }
  return hash.digest('hex');
}

function manifests() {
  return ['apps', 'packages', 'tooling']
    .filter((group) => existsSync(join(root, group)))
    .flatMap((group) => readdirSync(join(root, group)).map((name) => join(group, name, 'package.json')))
    .filter((file) => existsSync(join(root, file)))
    .sort();
}

async function runOrStop(what, command, args) {
  say(`${what}…`);
  const { code } = await inWorkspace(command, args);
  if (code !== 0) stopOn(`${what} failed (code ${code}); the reason is above.`);
}

function stopOn(problem) {
  if (problem === null) return;
  console.error(`[horae] ${problem}`);
  process.exit(1);
}
