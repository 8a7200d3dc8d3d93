import type { EpochMs } from '@horae/clock-store';
import type { CronExpression } from '@horae/cron-grammar';
import type { Answer } from '../frame/define-command.js';
import { localTimeIn } from '../output/local-time.js';
import { relativeTime } from '../output/relative-time.js';

/** Occurrences as an answer. On a terminal each also shows its weekday and its distance from now. */
export function occurrenceAnswer(
  list: readonly EpochMs[],
  facts: { expression: CronExpression; zone: string; from: EpochMs; now: EpochMs; isTerminal: boolean },
): Answer {
  const { expression, zone, from, now, isTerminal } = facts;
  const local = localTimeIn(zone);
  const lines = isTerminal ? linesForPeople(list, zone, now) : list.map(local);
  return {
    json: {
      expression: expression.text,
      dialect: expression.dialect,
      zone,
      from: new Date(from).toISOString(),
      occurrences: list.map((at) => ({ at, utc: new Date(at).toISOString(), local: local(at) })),
    },
    text: lines.join('\n'),
  };
}

function linesForPeople(list: readonly EpochMs[], zone: string, now: EpochMs): string[] {
  const local = localTimeIn(zone);
  const weekday = new Intl.DateTimeFormat('en', { timeZone: zone, weekday: 'short' });
  return list.map((at) => `${local(at)}  ${weekday.format(at)}  ${relativeTime(at - now)}`);
}
