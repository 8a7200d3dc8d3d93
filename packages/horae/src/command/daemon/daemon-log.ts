import type { CommandContext } from '../frame/command-context.js';
import { escapeLine } from '../output/escape-controls.js';
import { plainJson } from '../output/plain-json.js';

type Level = 'debug' | 'info' | 'warn' | 'error';

/** A logger in pino's shape: facts first, then the sentence. */
export type DaemonLog = Readonly<Record<Level, (facts: object, message: string) => void>>;

/** Writes plain text on a terminal, and JSON lines in a pipe or with `--json`. Debug lines need HORAE_DEBUG. */
export function createDaemonLog({ clock, isTerminal, writeLine }: CommandContext, asJson: boolean): DaemonLog {
  const write = (level: Level) => (facts: object, message: string) => {
    const time = new Date(clock.now()).toISOString();
    if (level === 'debug' && process.env.HORAE_DEBUG === undefined) return;
    if (asJson || !isTerminal) writeLine(plainJson({ time, level, message, ...facts }));
    else writeLine(escapeLine(`${time.slice(11, 19)}  ${mark[level]}${message}${factText(facts)}`));
  };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}

const mark: Readonly<Record<Level, string>> = { debug: 'debug: ', info: '', warn: 'warning: ', error: 'error: ' };

function factText(facts: object): string {
  const shown = Object.entries(facts).filter(([name, value]) => value !== undefined && name !== 'event');
  const texts = shown.map(([name, value]) => `${name}=${typeof value === 'string' ? value : plainJson(value)}`);
  return texts.length === 0 ? '' : `  ${texts.join(' ')}`;
}
