import type { Logger } from '../../src/index.js';

/** A line as it was logged. */
export interface LogLine {
  readonly level: 'debug' | 'info' | 'warn' | 'error';
  readonly at: number;
  readonly facts: Readonly<Record<string, unknown>>;
  readonly message: string;
}

/** A logger whose lines a test reads. */
export function recordedLog(clock: { now(): number }) {
  const lines: LogLine[] = [];
  const level = (name: LogLine['level']) => (facts: object, message: string) =>
    void lines.push({ level: name, at: clock.now(), facts: facts as LogLine['facts'], message });
  const log: Logger = { debug: level('debug'), info: level('info'), warn: level('warn'), error: level('error') };
  return { log, lines };
}

/** A line as people read it: time, level, sentence, facts. */
export function printed({ level, at, facts, message }: LogLine): string {
  const shown = Object.entries(facts).map(([name, value]) => {
    if (value instanceof Error) return `${name}="${value.message}"`;
    return `${name}=${typeof value === 'object' ? JSON.stringify(value) : String(value)}`;
  });
  return `${new Date(at).toISOString().slice(11, 19)} ${level.toUpperCase().padEnd(5)} ${message}  ${shown.join(' ')}`;
}
