import type { ShiftsSnapshot } from '../../../wire/shifts.js';
import { useNow } from '../../live/live-store.js';

const SIZE = 420;
const CENTRE = SIZE / 2;
const RADIUS = 138;

/** The active operators on a circle, greatest key at the top; an arc shows how much of the shift is over. */
export function OperatorCircle({ shifts }: { shifts: ShiftsSnapshot }) {
  const now = useNow(200);
  const { current, shiftMs } = shifts;
  const order = [...shifts.active].reverse();
  const angle = (index: number) => (index / Math.max(1, order.length)) * 2 * Math.PI - Math.PI / 2;
  const progress = current === null ? 0 : Math.max(0, Math.min(1, (now - current.start) / shiftMs));
  const late = current === null ? 0 : Math.max(0, Math.floor((now - current.end) / 1000));
  return (
    <svg
      class="drawing circle"
      viewBox={`0 0 ${SIZE} ${SIZE}`}
      role="img"
      aria-label={`On shift: ${current?.operator ?? 'nobody'}`}
    >
      <circle cx={CENTRE} cy={CENTRE} r={RADIUS} fill="none" stroke="var(--line)" stroke-width="2" />
      <circle cx={CENTRE} cy={CENTRE} r="84" fill="none" stroke="var(--sunken)" stroke-width="12" />
      <circle
        cx={CENTRE}
        cy={CENTRE}
        r="84"
        fill="none"
        stroke={progress >= 1 ? 'var(--warn)' : 'var(--engine-shifts)'}
        stroke-width="12"
        stroke-linecap="round"
        stroke-dasharray={`${progress * 2 * Math.PI * 84} 1000`}
        transform={`rotate(-90 ${CENTRE} ${CENTRE})`}
      />
      <text x={CENTRE} y={CENTRE - 4} text-anchor="middle" font-size="22" font-weight="660">
        {current?.operator ?? 'nobody'}
      </text>
      <text x={CENTRE} y={CENTRE + 20} text-anchor="middle" font-size="13" class="soft number">
        {current === null
          ? ''
          : progress < 1
            ? `${Math.ceil((current.end - now) / 1000)} s left`
            : `over for ${late} s`}
      </text>
      {order.map((operator, i) => {
        const x = CENTRE + RADIUS * Math.cos(angle(i));
        const y = CENTRE + RADIUS * Math.sin(angle(i));
        const isOn = operator.name === current?.operator;
        return (
          <g key={operator.key}>
            <circle
              cx={x}
              cy={y}
              r={isOn ? 15 : 10}
              fill={isOn ? 'var(--engine-shifts)' : 'var(--surface)'}
              stroke="var(--engine-shifts)"
              stroke-width="2.5"
            >
              <title>{operator.key}</title>
            </circle>
            <text
              x={CENTRE + (RADIUS + 26) * Math.cos(angle(i))}
              y={CENTRE + (RADIUS + 26) * Math.sin(angle(i)) + 4}
              text-anchor={anchorOf(Math.cos(angle(i)))}
              font-size="12.5"
              font-weight={isOn ? 660 : 460}
            >
              {operator.name}
            </text>
          </g>
        );
      })}
    </svg>
  );
}

function anchorOf(cosine: number): 'start' | 'middle' | 'end' {
  if (cosine > 0.25) return 'start';
  return cosine < -0.25 ? 'end' : 'middle';
}
