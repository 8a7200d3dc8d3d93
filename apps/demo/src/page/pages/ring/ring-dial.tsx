import type { RingSnapshot } from '../../../wire/ring.js';
import { useNow } from '../../live/live-store.js';

const SIZE = 440;
const CENTRE = SIZE / 2;
const OUTER = 190;
const INNER = 146;
/** How long a fired slot glows. */
const GLOW_MS = 2_500;

/** The ring: claimed runs are in their slots, coming ones are hollow, firing ones glow. */
export function RingDial({ ring }: { ring: RingSnapshot }) {
  const now = useNow(100);
  const second = (now / 1000) % 60;
  const glowing = new Map<number, number>();
  for (const { scheduleTime, startedAt } of ring.runs) {
    if (scheduleTime === null || startedAt === null || now - startedAt > GLOW_MS || now < startedAt) continue;
    glowing.set(slotOf(scheduleTime), 1 - (now - startedAt) / GLOW_MS);
  }
  const coming = ring.jobs.filter(({ nextAt }) => nextAt !== null && nextAt > now && nextAt < now + 55_000);
  return (
    <svg
      class="drawing dial"
      viewBox={`0 0 ${SIZE} ${SIZE}`}
      role="img"
      aria-label={`${ring.inRing.length} runs stand in the ring; ${coming.length} jobs are due within a minute`}
    >
      {Array.from({ length: 60 }, (_, slot) => (
        <Slot key={slot} slot={slot} glow={glowing.get(slot) ?? 0} isCurrent={Math.floor(second) === slot} />
      ))}
      {[0, 15, 30, 45].map((slot) => (
        <text key={slot} class="soft number" font-size="12" text-anchor="middle" {...labelAt(slot)}>
          {String(slot).padStart(2, '0')}
        </text>
      ))}
      {coming.map(({ id, nextAt, name }) => (
        <circle
          key={id}
          {...at(slotOf(nextAt!) + 0.5, INNER - 14)}
          r="4.5"
          fill="none"
          stroke="var(--line-strong)"
          stroke-width="1.5"
        >
          <title>{`${name} comes next`}</title>
        </circle>
      ))}
      {stackBySlot(ring).map(({ runId, jobName, slot, depth }) => (
        <circle key={runId} {...at(slot + 0.5, INNER - 14 - depth * 13)} r="5.5" fill="var(--engine-cron)">
          <title>{`${jobName} stands in slot ${slot}`}</title>
        </circle>
      ))}
      <g transform={`rotate(${second * 6} ${CENTRE} ${CENTRE})`}>
        <line
          x1={CENTRE}
          x2={CENTRE}
          y1={CENTRE - 62}
          y2={CENTRE - OUTER - 6}
          stroke="var(--accent)"
          stroke-width="2"
        />
        <circle cx={CENTRE} cy={CENTRE - OUTER - 6} r="4" fill="var(--accent)" />
      </g>
      <text class="number" x={CENTRE} y={CENTRE + 4} text-anchor="middle" font-size="44" font-weight="680">
        {String(Math.floor(second)).padStart(2, '0')}
      </text>
      <text class="soft" x={CENTRE} y={CENTRE + 26} text-anchor="middle" font-size="13">
        {ring.inRing.length} in the ring
      </text>
    </svg>
  );
}

function slotOf(at: number): number {
  return Math.floor(at / 1000) % 60;
}

function Slot({ slot, glow, isCurrent }: { slot: number; glow: number; isCurrent: boolean }) {
  return (
    <path
      d={sector(slot)}
      fill={glow > 0 ? 'var(--engine-ring)' : isCurrent ? 'var(--accent-soft)' : 'var(--sunken)'}
      opacity={glow > 0 ? 0.35 + 0.65 * glow : 1}
    />
  );
}

/** A piece of the ring, a little apart from its neighbours. */
function sector(slot: number): string {
  const [from, to] = [angle(slot + 0.08), angle(slot + 0.92)];
  const point = (a: number, radius: number) => `${CENTRE + radius * Math.cos(a)} ${CENTRE + radius * Math.sin(a)}`;
  return `M${point(from, INNER)}L${point(from, OUTER)}A${OUTER} ${OUTER} 0 0 1 ${point(to, OUTER)}L${point(to, INNER)}A${INNER} ${INNER} 0 0 0 ${point(from, INNER)}Z`;
}

function angle(slot: number): number {
  return (slot / 60) * 2 * Math.PI - Math.PI / 2;
}

function at(slot: number, radius: number): { cx: number; cy: number } {
  return { cx: CENTRE + radius * Math.cos(angle(slot)), cy: CENTRE + radius * Math.sin(angle(slot)) };
}

function labelAt(slot: number): { x: number; y: number } {
  const { cx, cy } = at(slot, OUTER + 18);
  return { x: cx, y: cy + 4 };
}

/** Runs of the same slot stand behind each other. */
function stackBySlot({ inRing }: RingSnapshot) {
  const depths = new Map<number, number>();
  return inRing.slice(0, 120).map(({ runId, jobName, scheduleTime }) => {
    const slot = slotOf(scheduleTime);
    const depth = depths.get(slot) ?? 0;
    depths.set(slot, depth + 1);
    return { runId, jobName, slot, depth: Math.min(depth, 6) };
  });
}
