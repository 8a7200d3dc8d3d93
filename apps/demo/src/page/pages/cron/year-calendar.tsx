import { ScrollArea } from '@horae-tooling/design/parts';
import type { CronAnalysis } from '../../../wire/cron.js';

const CELL = 15;
const LEFT = 34;
const TOP = 18;
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

/** A year of days, one column per week; the darker, the more runs. */
export function YearCalendar({ answer }: { answer: CronAnalysis }) {
  const { perDay, firstWeekday, year } = answer;
  const most = Math.max(1, ...perDay);
  const weeks = Math.ceil((perDay.length + firstWeekday) / 7);
  const place = (day: number) => {
    const slot = day + firstWeekday;
    return { x: LEFT + Math.floor(slot / 7) * CELL, y: TOP + (slot % 7) * CELL };
  };
  return (
    <ScrollArea label={`Runs of each day of ${year}`}>
      <svg
        class="drawing year"
        viewBox={`0 0 ${LEFT + weeks * CELL} ${TOP + 7 * CELL}`}
        role="img"
        aria-label="Calendar of the year"
      >
        {months.map((name, month) => {
          const day = Math.round((Date.UTC(year, month, 1) - Date.UTC(year, 0, 1)) / 86_400_000);
          return (
            <text key={name} class="soft" font-size="10" x={place(day).x + (month === 0 ? 0 : CELL)} y={TOP - 7}>
              {name}
            </text>
          );
        })}
        {['Mon', 'Wed', 'Fri', 'Sun'].map((name, i) => (
          <text key={name} class="soft" font-size="10" x={0} y={TOP + i * 2 * CELL + 11}>
            {name}
          </text>
        ))}
        {perDay.map((count, day) => {
          const { x, y } = place(day);
          const date = new Date(Date.UTC(year, 0, 1 + day)).toISOString().slice(0, 10);
          return (
            <rect
              key={date}
              x={x}
              y={y}
              width={CELL - 2}
              height={CELL - 2}
              rx="3"
              fill={count === 0 ? 'var(--sunken)' : 'var(--engine-cron)'}
              opacity={count === 0 ? 1 : 0.3 + 0.7 * (count / most)}
            >
              <title>{`${date}: ${count} ${count === 1 ? 'run' : 'runs'}`}</title>
            </rect>
          );
        })}
      </svg>
    </ScrollArea>
  );
}
