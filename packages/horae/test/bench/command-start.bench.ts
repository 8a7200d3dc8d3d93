import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@horae/clock-store';
import { defineBench } from '@horae-tooling/bench';

const clock = systemClock();
const command = fileURLToPath(new URL('../../dist/horae.js', import.meta.url));

/** A whole process from its start to its end, in milliseconds. */
const processOf = (file: string, words: readonly string[]) => ({
  sample() {
    const start = clock.monotonicMs();
    execFileSync(file, words, { stdio: ['ignore', 'pipe', 'ignore'] });
    return clock.monotonicMs() - start;
  },
});
const program = (name: string) =>
  processOf(process.execPath, [fileURLToPath(new URL(`./peers/${name}.mjs`, import.meta.url))]);

function isInstalled(file: string): boolean {
  try {
    execFileSync(file, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

export default [
  defineBench({
    name: 'command/cron-next',
    about:
      'The next five occurrences as a process: start, answer, end. "node alone" is the floor; the peers are small programs with a library.',
    ours: 'horae cron next',
    unit: 'ms',
    contenders: {
      'horae cron next': processOf(process.execPath, [
        command,
        'cron',
        'next',
        '0 9 * * 1-5',
        '--zone',
        'Europe/Berlin',
      ]),
      'node alone': program('nothing'),
      croner: program('croner-next'),
      'cron-parser': program('cron-parser-next'),
      ...(isInstalled('systemd-analyze')
        ? {
            'systemd-analyze calendar (C, no Node)': processOf('systemd-analyze', [
              ...['calendar', '--iterations=5', 'Mon..Fri 09:00 Europe/Berlin'],
            ]),
          }
        : {}),
    },
  }),
];
