import { Empty, Field, Panel, ScrollArea } from '@horae-tooling/design/parts';
import { clockTime, fromNow } from '@horae-tooling/design/times';
import { useState } from 'preact/hooks';
import type { ShiftsSnapshot } from '../../../wire/shifts.js';
import { useNow } from '../../live/live-store.js';

const WIDTH = 640;

/** The coming shifts, and the next one of a chosen operator. */
export function Timetable({ shifts }: { shifts: ShiftsSnapshot }) {
  const now = useNow(500);
  const [chosen, setChosen] = useState('');
  const mine = shifts.active.find(({ name }) => name === chosen) ?? shifts.active[0];
  return (
    <Panel title="Timetable" note={`shifts of ${shifts.shiftMs / 1000} s`}>
      {shifts.timetable.length === 0 ? (
        <Empty>Nobody is active.</Empty>
      ) : (
        <div class="stack">
          <ScrollArea label="Coming shifts">
            <Strip shifts={shifts} chosen={mine?.name ?? ''} />
          </ScrollArea>
          <div class="row row-end">
            <Field label="When is the next shift of">
              <select class="input" value={mine?.name} onChange={(event) => setChosen(event.currentTarget.value)}>
                {shifts.active.map(({ name }) => (
                  <option key={name}>{name}</option>
                ))}
              </select>
            </Field>
            <p class="next-shift" data-testid="next-shift">
              {mine?.next == null ? (
                'None in sight.'
              ) : (
                <>
                  <strong class="number">{clockTime(mine.next.start)}</strong>{' '}
                  <span class="soft number">{fromNow(mine.next.start, now)}</span>
                </>
              )}
            </p>
          </div>
        </div>
      )}
    </Panel>
  );
}

/** Coming shifts side by side, as wide as they are long. */
function Strip({ shifts, chosen }: { shifts: ShiftsSnapshot; chosen: string }) {
  const { timetable } = shifts;
  const step = WIDTH / timetable.length;
  return (
    <svg
      class="drawing strip"
      viewBox={`0 0 ${WIDTH} 54`}
      role="img"
      aria-label={timetable.map(({ operator }) => operator).join(', ')}
    >
      {timetable.map(({ operator, start }, i) => (
        <g key={start}>
          <rect
            x={i * step + 1}
            y="0"
            width={step - 3}
            height="34"
            rx="6"
            fill="var(--engine-shifts)"
            opacity={operator === chosen ? 1 : i === 0 ? 0.4 : 0.14}
          />
          <text
            x={i * step + step / 2}
            y="21"
            text-anchor="middle"
            font-size="10.5"
            font-weight="580"
            class={operator === chosen ? 'inverse' : ''}
          >
            {operator}
          </text>
          <text class="soft" x={i * step + step / 2} y="49" text-anchor="middle" font-size="9.5">
            {clockTime(start).slice(3)}
          </text>
        </g>
      ))}
    </svg>
  );
}
