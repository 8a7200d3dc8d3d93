import { appendFile, mkdir, mkdtemp, open as openFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock, EpochMs } from '@horae/clock-store';
import type { Logger } from '../model/logger.js';
import type { LogPage } from '../wire/log-message.js';

/** The logs of the runs of an executor: one file per run, one folder per day. */
export interface RunLogFiles {
  /** Adds lines to a run's log. Returns at once; written lines can be read. */
  write(run: LoggedRun, text: string): void;
  /** Called when no more lines are written for the run. */
  end(run: LoggedRun): void;
  /** A page starting at a line; empty beyond the end and for an unknown run. Null when the log cannot be read. */
  read(run: LoggedRun, fromLineNum: number, isOver: boolean): Promise<LogPage | null>;
  /** Writes the remaining lines, and removes the folder if it is temporary. */
  close(): Promise<void>;
}

export interface LoggedRun {
  readonly runId: number;
  /** When the scheduler fired the run: its log is in the folder of that day, in UTC. */
  readonly logDateTime: EpochMs;
}

interface OpenLog {
  waiting: string;
  writtenBytes: number;
  isFull: boolean;
  isEnded: boolean;
  writing: Promise<void> | null;
}

/** Logs contain the output of handlers, so other users of the machine cannot read them. */
const OWN_FOLDER = 0o700;
const OWN_FILE = 0o600;
const KEPT_DAYS = 30;
const DAY_MS = 86_400_000;
const MAX_BYTES_PER_RUN = 10 * 1_048_576;
const MAX_LINES_PER_PAGE = 1_000;
const MAX_CHARACTERS_PER_PAGE = 512 * 1_024;

/**
 * Opens the folder, or a temporary one without `logDir`. When a new day begins by this machine's clock, days more than 30 away are
 * removed: the time of a run according to a scheduler is no reason to remove the logs of others.
 */
export async function openRunLogFiles(
  logDir: string | undefined,
  { log, clock }: { log: Logger; clock: Clock },
): Promise<RunLogFiles> {
  const folder = logDir ?? (await mkdtemp(join(tmpdir(), 'horae-executor-')));
  await mkdir(folder, { recursive: true, mode: OWN_FOLDER });
  const open = new Map<string, OpenLog>();
  let newestDay = '';

  function write({ runId, logDateTime }: LoggedRun, text: string): void {
    const file = join(dayOf(logDateTime), `${runId}.log`);
    let current = open.get(file);
    if (current === undefined) {
      current = { waiting: '', writtenBytes: 0, isFull: false, isEnded: false, writing: null };
      open.set(file, current);
    }
    if (current.isFull) return;
    // Line feeds inside a text split it into several lines on the wire.
    const lines = `${text.replaceAll(/\r\n?/g, '\n')}\n`;
    current.writtenBytes += Buffer.byteLength(lines);
    current.isFull = current.writtenBytes > MAX_BYTES_PER_RUN;
    current.waiting += current.isFull
      ? `(The log is cut off here: a run may write ${MAX_BYTES_PER_RUN} bytes)\n`
      : lines;
    current.writing ??= flush(file, current);
  }

  async function flush(file: string, current: OpenLog): Promise<void> {
    await Promise.resolve();
    try {
      while (current.waiting !== '') {
        const text = current.waiting;
        current.waiting = '';
        await beginDay(dayOf(clock.now()));
        await mkdir(join(folder, file.slice(0, 10)), { recursive: true, mode: OWN_FOLDER });
        await appendFile(join(folder, file), text, { mode: OWN_FILE });
      }
    } catch (error) {
      current.waiting = '';
      log.warn({ err: error, file }, 'A run log could not be written');
    }
    current.writing = null;
    if (current.isEnded) open.delete(file);
  }

  async function beginDay(day: string): Promise<void> {
    if (day <= newestDay) return;
    newestDay = day;
    const oldest = dayOf(Date.parse(day) - KEPT_DAYS * DAY_MS);
    const newest = dayOf(Date.parse(day) + KEPT_DAYS * DAY_MS);
    for (const name of await readdir(folder)) {
      if (/^\d{4}-\d\d-\d\d$/.test(name) && (name < oldest || name > newest))
        await rm(join(folder, name), { recursive: true, force: true });
    }
  }

  function end({ runId, logDateTime }: LoggedRun): void {
    const file = join(dayOf(logDateTime), `${runId}.log`);
    const current = open.get(file);
    if (current === undefined) return;
    current.isEnded = true;
    if (current.writing === null) open.delete(file);
  }

  async function read(
    { runId, logDateTime }: LoggedRun,
    fromLineNum: number,
    isOver: boolean,
  ): Promise<LogPage | null> {
    const file = join(dayOf(logDateTime), `${runId}.log`);
    await open.get(file)?.writing;
    try {
      return await readPage(join(folder, file), fromLineNum, isOver);
    } catch (error) {
      if ((error as { code?: string }).code === 'ENOENT')
        return { fromLineNum, toLineNum: 0, lines: [], isEnd: isOver };
      log.warn({ err: error, file }, 'A run log could not be read');
      return null;
    }
  }

  return {
    write,
    end,
    read,
    async close() {
      await Promise.all([...open.values()].map(({ writing }) => writing));
      if (logDir === undefined) await rm(folder, { recursive: true, force: true });
    },
  };
}

async function readPage(path: string, fromLineNum: number, isOver: boolean): Promise<LogPage> {
  const file = await openFile(path);
  try {
    const lines: string[] = [];
    let lineNum = 0;
    let characters = 0;
    for await (const line of file.readLines({ autoClose: false })) {
      if (lineNum + 1 >= fromLineNum) {
        const isFull = lines.length >= MAX_LINES_PER_PAGE || characters + line.length > MAX_CHARACTERS_PER_PAGE;
        // A line longer than a page is returned as a page of its own.
        if (isFull && lines.length > 0) return { fromLineNum, toLineNum: lineNum, lines, isEnd: false };
        lines.push(line);
        characters += line.length;
      }
      lineNum += 1;
    }
    return { fromLineNum, toLineNum: lineNum, lines, isEnd: isOver };
  } finally {
    await file.close();
  }
}

function dayOf(at: EpochMs): string {
  // Times outside the calendar belong to no real run; they share a folder.
  return at >= 0 && at < 253_402_300_800_000 ? new Date(at).toISOString().slice(0, 10) : '1970-01-01';
}
