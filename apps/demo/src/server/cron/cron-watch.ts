import { describeCron, nextOccurrence, parseCron } from 'horae/cron';
import type { Clock } from 'horae/time';
import type { Note } from '../overview/activity.js';

/** Second-precise expressions whose occurrences the overview shows. */
const expressions = ['0/5 * * * * ?', '0 * * * * ?', '30 0/2 * * * ?'].map((text) =>
  parseCron(text, { dialect: 'quartz' }),
);

/** Reports each occurrence of a few expressions when it is due: the grammar has no clock of its own, so the demo supplies one. */
export async function watchCron(clock: Clock, zone: string, note: Note, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const now = clock.now();
    const coming = expressions.map((expression) => ({ expression, at: nextOccurrence(expression, now, zone) }));
    const at = Math.min(...coming.map((next) => next.at));
    await clock.sleepUntil(at, { signal }).catch(() => {});
    if (signal.aborted) return;
    for (const next of coming)
      if (next.at === at) note('cron', `${next.expression.text}: ${describeCron(next.expression)}`);
  }
}
