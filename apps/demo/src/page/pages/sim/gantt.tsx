import { ScrollArea } from '@horae-tooling/design/parts';
import { minuteClock } from '@horae-tooling/design/times';
import { useWidth } from '@horae-tooling/design/use-width';
import type { GanttLane, GanttPiece } from '../../../wire/sim.js';

const LEFT = 128;
const ROW = 26;
const TOP = 26;

export interface GanttProps {
  readonly run: { readonly minutes: number; readonly startAt: string; readonly lanes: readonly GanttLane[] };
  readonly label: string;
  /** The first minute that is shown. */
  readonly from?: number;
  readonly t?: number;
  readonly chosen?: string | null;
  readonly onChoose?: (id: string) => void;
  /** The label of a lane; its id when left out. */
  readonly labelOf?: (id: string) => string;
}

/** Running, waiting and suspended actions, one lane per action. A lane can be chosen by click and by keyboard. */
export function Gantt({ run, label, from = 0, t, chosen, onChoose, labelOf = (id) => id }: GanttProps) {
  const { minutes, startAt, lanes } = run;
  const { place, width } = useWidth();
  const scale = (width - LEFT - 20) / Math.max(1, minutes - from);
  const x = (minute: number) => LEFT + (Math.max(from, minute) - from) * scale;
  const height = TOP + Math.max(1, lanes.length) * ROW + 4;
  return (
    <div ref={place}>
      <ScrollArea label={label}>
        <svg class="drawing gantt" viewBox={`0 0 ${width} ${height}`}>
          <title>{label}</title>
          <Grid minutes={minutes} from={from} startAt={startAt} x={x} height={height} />
          {lanes.map((lane, row) => (
            <Lane
              key={lane.id}
              lane={lane}
              name={labelOf(lane.id)}
              y={TOP + row * ROW}
              x={x}
              width={width}
              isChosen={lane.id === chosen}
              onChoose={onChoose}
            />
          ))}
          {t === undefined ? null : (
            <line x1={x(t)} x2={x(t)} y1={TOP - 6} y2={height} stroke="var(--accent)" stroke-width="1.5" />
          )}
        </svg>
      </ScrollArea>
    </div>
  );
}

function Grid(props: {
  minutes: number;
  from: number;
  startAt: string;
  x: (minute: number) => number;
  height: number;
}) {
  const { minutes, from, startAt, x, height } = props;
  const step = [5, 15, 30, 60, 120, 240, 480].find((size) => (minutes - from) / size <= 12) ?? 720;
  const first = Math.ceil(from / step) * step;
  const marks = Array.from({ length: Math.floor((minutes - first) / step) + 1 }, (_, i) => first + i * step);
  return (
    <g>
      {marks.map((minute) => (
        <g key={minute}>
          <line x1={x(minute)} x2={x(minute)} y1={TOP - 6} y2={height} stroke="var(--line)" />
          <text class="soft" font-size="10.5" x={x(minute)} y={TOP - 11} text-anchor="middle">
            {minuteClock(startAt, minute)}
          </text>
        </g>
      ))}
    </g>
  );
}

function Lane(props: {
  lane: GanttLane;
  name: string;
  y: number;
  x: (minute: number) => number;
  width: number;
  isChosen: boolean;
  onChoose: ((id: string) => void) | undefined;
}) {
  const { lane, name, y, x, width, isChosen, onChoose } = props;
  const choose = onChoose === undefined ? undefined : () => onChoose(lane.id);
  const words = `${lane.id} by ${lane.actor}${lane.rejected === null ? '' : ', rejected'}`;
  const control =
    choose === undefined
      ? {}
      : {
          role: 'button' as const,
          tabIndex: 0,
          'aria-label': words,
          'aria-pressed': isChosen,
          onClick: choose,
          onKeyDown: (event: KeyboardEvent) => {
            if (event.key !== 'Enter' && event.key !== ' ') return;
            event.preventDefault();
            choose();
          },
        };
  return (
    <g
      {...control}
      class={`${choose === undefined ? '' : 'lane-button'} ${isChosen ? 'lane-chosen' : ''}`}
      data-lane={lane.id}
    >
      <rect class="lane-ground" x="0" y={y} width={width} height={ROW - 2} rx="4" />
      <text font-size="11.5" font-weight="540" x="6" y={y + 16} class={lane.rejected === null ? '' : 'bad'}>
        {shortened(name)}
      </text>
      {lane.pieces.map((piece) => (
        <Piece key={`${piece.kind}${piece.from}`} piece={piece} y={y} x={x} />
      ))}
      {lane.rejected === null ? null : (
        <text font-size="10.5" x={LEFT + 4} y={y + 16} class="bad">
          rejected
        </text>
      )}
    </g>
  );
}

function Piece({ piece, y, x }: { piece: GanttPiece; y: number; x: (minute: number) => number }) {
  const width = Math.max(1.5, x(piece.to) - x(piece.from));
  if (piece.to <= 0 || width <= 1.5) return null;
  const inset = piece.kind === 'run' ? 4 : 8;
  return (
    <rect
      class={`piece-${piece.kind}`}
      x={x(piece.from)}
      y={y + inset}
      width={width}
      height={ROW - 2 - inset * 2}
      rx="3"
    >
      <title>{`${piece.kind === 'run' ? 'runs' : piece.kind === 'wait' ? 'waits' : 'suspended'} from minute ${piece.from} to ${piece.isOpen ? 'after the end' : piece.to}`}</title>
    </rect>
  );
}

/** What the colours mean. */
export function GanttLegend() {
  return (
    <span class="row tiny soft gantt-legend">
      <svg width="12" height="12" aria-hidden="true">
        <rect class="piece-run" width="12" height="12" rx="3" />
      </svg>
      runs
      <svg width="12" height="12" aria-hidden="true">
        <rect class="piece-wait" width="12" height="12" rx="3" />
      </svg>
      waits
      <svg width="12" height="12" aria-hidden="true">
        <rect class="piece-pause" width="12" height="12" rx="3" />
      </svg>
      suspended
    </span>
  );
}

function shortened(id: string): string {
  return id.length > 19 ? `${id.slice(0, 18)}…` : id;
}
