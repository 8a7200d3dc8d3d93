import { ScrollArea } from '@horae-tooling/design/parts';

const CELL_WIDTH = 34;
const CELL_HEIGHT = 22;
const LEFT = 34;
const TOP = 16;
const days = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** Weekdays by hours of the day: where the runs of a year fall. */
export function HourHeat({ perHour }: { perHour: readonly (readonly number[])[] }) {
  const most = Math.max(1, ...perHour.flat());
  return (
    <ScrollArea label="Runs by weekday and hour">
      <svg
        class="drawing heat"
        viewBox={`0 0 ${LEFT + 24 * CELL_WIDTH} ${TOP + 7 * CELL_HEIGHT}`}
        role="img"
        aria-label="Heat map of weekday and hour"
      >
        {Array.from({ length: 24 }, (_, hour) => (
          <text
            key={hour}
            class="soft"
            font-size="10"
            text-anchor="middle"
            x={LEFT + (hour + 0.5) * CELL_WIDTH}
            y={TOP - 5}
          >
            {String(hour).padStart(2, '0')}
          </text>
        ))}
        {perHour.map((hours, day) => (
          <g key={days[day]}>
            <text class="soft" font-size="10" x={0} y={TOP + day * CELL_HEIGHT + 15}>
              {days[day]}
            </text>
            {hours.map((count, hour) => (
              <rect
                key={hour}
                x={LEFT + hour * CELL_WIDTH}
                y={TOP + day * CELL_HEIGHT}
                width={CELL_WIDTH - 2}
                height={CELL_HEIGHT - 2}
                rx="4"
                fill={count === 0 ? 'var(--sunken)' : 'var(--engine-cron)'}
                opacity={count === 0 ? 1 : 0.3 + 0.7 * (count / most)}
              >
                <title>{`${days[day]} ${String(hour).padStart(2, '0')}:00: ${count} runs`}</title>
              </rect>
            ))}
          </g>
        ))}
      </svg>
    </ScrollArea>
  );
}
