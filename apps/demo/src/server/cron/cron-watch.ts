import { describeCron, nextOccurrence, parseCron } from 'horae/cron';
import type { Clock } from 'horae/time';
import type { Note } from '../overview/activity.js';

/** Second-precise expressions that the overview hears ticking. */
const expressions = ['0/5 * * * * ?', '0 * * * * ?', '30 0/2 * * * ?'].map((text) =>
  parseCron(text, { dialect: 'quartz' }),
);

/** Tells each occurrence of a few expressions as its time comes: the grammar has no clock of its own, so the demo lends it one. */
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
