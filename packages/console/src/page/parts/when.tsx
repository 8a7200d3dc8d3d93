import { session } from '../talk/api.js';
import { currentLanguage } from '../words/language.js';
import { createStore } from '../words/store.js';

const KEY = 'horae-console-zone';
const zoneChoice = createStore<'mine' | 'ring'>(localStorage.getItem(KEY) === 'ring' ? 'ring' : 'mine');

export function chooseZone(choice: 'mine' | 'ring'): void {
  localStorage.setItem(KEY, choice);
  zoneChoice.set(choice);
}

export const useZoneChoice = zoneChoice.use;

const formats = new Map<string, Intl.DateTimeFormat>();

/** A time with its date, in a zone: the one that the person has chosen when none is given. */
export function timeText(at: number, zone: string | undefined = chosenZone()): string {
  const key = `${currentLanguage()} ${zone ?? ''}`;
  const format =
    formats.get(key) ??
    new Intl.DateTimeFormat(currentLanguage() === 'en' ? 'en-GB' : currentLanguage(), {
      ...{
        year: 'numeric',
        month: 'short',
        day: 'numeric',
        hour: '2-digit',
        minute: '2-digit',
        second: '2-digit',
        hourCycle: 'h23',
      },
      ...(zone === undefined ? {} : { timeZone: zone }),
    });
  formats.set(key, format);
  return format.format(at);
}

function chosenZone(): string | undefined {
  const now = session.get();
  return zoneChoice.get() === 'ring' && now?.kind === 'in' ? now.zone : undefined;
}

export function When({ at, otherwise = '–' }: { at: number | null | undefined; otherwise?: string }) {
  zoneChoice.use();
  if (at === null || at === undefined) return <span class="soft">{otherwise}</span>;
  return (
    <time class="number" dateTime={new Date(at).toISOString()}>
      {timeText(at)}
    </time>
  );
}

/** `850 ms`, `12.3 s`, `4 min`. */
export function durationText(ms: number): string {
  if (ms < 1_000) return `${Math.round(ms)} ms`;
  if (ms < 90_000) return `${(ms / 1_000).toFixed(ms < 10_000 ? 1 : 0)} s`;
  if (ms < 5_400_000) return `${Math.round(ms / 60_000)} min`;
  return `${(ms / 3_600_000).toFixed(1)} h`;
}
