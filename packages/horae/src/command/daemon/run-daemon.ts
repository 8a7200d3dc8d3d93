import { constants } from 'node:os';
import type { CommandContext } from '../frame/command-context.js';
import { reportOf } from '../output/report-error.js';
import type { DaemonLog } from './daemon-log.js';
import { killCommands } from './run-shell.js';

const ECHO_MS = 200;

/** The work of a running daemon. */
export interface DaemonWork {
  /** Reads the configuration again. Rejects and keeps the old one when the new one is invalid. */
  reload(): Promise<void>;
  /** Stops in order. A reload that is in progress starts nothing after that. */
  stop(): Promise<void>;
}

/**
 * Starts the work and keeps it until SIGTERM or SIGINT, or until the work itself calls `end`; SIGHUP reloads. A second signal ends the
 * process at once, with everything it started. A lost standard output does not end it. Resolves when the work has stopped.
 */
export async function runDaemon(
  start: (end: (reason: string) => void) => Promise<DaemonWork>,
  { clock, outliveOutput }: CommandContext,
  log: DaemonLog,
): Promise<void> {
  outliveOutput();
  const ending = new AbortController();
  const end = (reason: string) => ending.abort(reason);
  let first: { readonly signal: NodeJS.Signals; readonly atMs: number } | null = null;
  const onStop = (signal: NodeJS.Signals) => {
    const atMs = clock.monotonicMs();
    if (first !== null && !isEcho(first, signal, atMs)) force(signal, log);
    first ??= { signal, atMs };
    end(signal);
  };
  let work: DaemonWork | null = null;
  let reloading = Promise.resolve();
  const onReload = () => {
    reloading = reloading.then(() => reload(work, log));
  };
  process.on('SIGTERM', onStop).on('SIGINT', onStop).on('SIGHUP', onReload);
  try {
    work = await start(end);
    // The wait is what keeps the process alive when there is nothing to wait for.
    await clock.sleepFor(Number.POSITIVE_INFINITY, { signal: ending.signal }).catch(() => {});
    log.info({ reason: String(ending.signal.reason) }, 'stopping');
    await Promise.all([work.stop(), reloading]);
    log.info({}, 'stopped');
  } finally {
    process.off('SIGTERM', onStop).off('SIGINT', onStop).off('SIGHUP', onReload);
  }
}

/** npx and npm forward a Ctrl-C that the terminal has already sent to the whole group, so one Ctrl-C arrives twice. */
function isEcho(first: { signal: NodeJS.Signals; atMs: number }, signal: NodeJS.Signals, atMs: number): boolean {
  return process.stdin.isTTY === true && signal === first.signal && atMs - first.atMs < ECHO_MS;
}

async function reload(work: DaemonWork | null, log: DaemonLog): Promise<void> {
  if (work === null) return;
  try {
    await work.reload();
    log.info({}, 'reloaded');
  } catch (error) {
    log.error({ error: reportOf(error) }, 'the new configuration is not used; the old one stays');
  }
}

function force(signal: NodeJS.Signals, log: DaemonLog): never {
  log.warn({ signal }, 'told twice to stop: ending at once');
  killCommands();
  process.exit(128 + (constants.signals[signal] ?? 15));
}
