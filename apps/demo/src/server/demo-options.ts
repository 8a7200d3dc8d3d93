import { parseArgs } from 'node:util';
import { isLoopback } from './http/loopback.js';

export interface DemoOptions {
  readonly port: number;
  readonly host: string;
  /** The token that every request needs; null for none, which is allowed on loopback only. */
  readonly token: string | null;
  readonly database: string;
  /** How long a shift of the demo's chain lasts. */
  readonly shiftMs: number;
}

export const helpText = `npm start [-- options]   six schedulers on one page; Ctrl-C ends it

  --port NUMBER     where the page is served (4400; when it is busy the next free one is taken)
  --host ADDRESS    what to listen on (127.0.0.1, so that only this machine sees it; others need a token)
  --token TEXT      what a visitor needs (HORAE_DEMO_TOKEN; none): open the page once with ?token=TEXT
  --database FILE   where everything is kept (horae-demo.db)
  --shift-ms NUMBER how long a shift of the demo's chain lasts (8000)
`;

/** An invalid command line; the message names the option and the expected value. */
export class BadOption extends Error {}

/** Reads the command line; `help` when it requests the help. */
export function readOptions(args: readonly string[], environment = process.env): DemoOptions | 'help' {
  const { values } = parse(args);
  if (values.help) return 'help';
  // An empty token is none.
  const token = values.token || environment.HORAE_DEMO_TOKEN || null;
  if (token === null && !isLoopback(values.host)) {
    throw new BadOption(
      `--host ${values.host} can be reached by others: give a token with --token or HORAE_DEMO_TOKEN`,
    );
  }
  return {
    port: wholeNumber('--port', values.port, 0, 65_535),
    host: values.host,
    token,
    database: values.database,
    shiftMs: wholeNumber('--shift-ms', values['shift-ms'], 500, 3_600_000),
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        port: { type: 'string', default: '4400' },
        host: { type: 'string', default: '127.0.0.1' },
        token: { type: 'string' },
        database: { type: 'string', default: 'horae-demo.db' },
        'shift-ms': { type: 'string', default: '8000' },
        help: { type: 'boolean', default: false },
      },
    });
  } catch (error) {
    throw new BadOption(error instanceof Error ? error.message : String(error));
  }
}

function wholeNumber(option: string, text: string, least: number, most: number): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number >= least && number <= most) return number;
  throw new BadOption(`${option} takes a whole number from ${least} to ${most}, got "${text}"`);
}
