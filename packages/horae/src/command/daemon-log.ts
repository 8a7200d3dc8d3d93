import { plainJson } from './plain-json.js';
import type { Surroundings } from './surroundings.js';

type Level = 'debug' | 'info' | 'warn' | 'error';

/** A logger in pino's shape: facts first, then the sentence. */
export type DaemonLog = Readonly<Record<Level, (facts: object, message: string) => void>>;

/** Lines for people on a terminal, JSON lines in a pipe or when asked for. Debug lines are written with HORAE_DEBUG only. */
export function createDaemonLog({ clock, isTerminal, writeLine }: Surroundings, asJson: boolean): DaemonLog {
  const write = (level: Level) => (facts: object, message: string) => {
    const time = new Date(clock.now()).toISOString();
    if (level === 'debug' && process.env.HORAE_DEBUG === undefined) return;
    if (asJson || !isTerminal) writeLine(plainJson({ time, level, message, ...facts }));
    else writeLine(`${time.slice(11, 19)}  ${mark[level]}${message}${factText(facts)}`);
  };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}

const mark: Readonly<Record<Level, string>> = { debug: 'debug: ', info: '', warn: 'warning: ', error: 'error: ' };

function factText(facts: object): string {
  const shown = Object.entries(facts).filter(([name, value]) => value !== undefined && name !== 'event');
  const texts = shown.map(([name, value]) => `${name}=${typeof value === 'string' ? value : plainJson(value)}`);
  return texts.length === 0 ? '' : `  ${texts.join(' ')}`;
}
