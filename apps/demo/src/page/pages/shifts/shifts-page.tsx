import { Loading, Panel } from '@horae-tooling/design/parts';
import type { ShiftsSnapshot } from '../../../wire/shifts.js';
import { useTopic } from '../../live/live-store.js';
import { ChainHistory } from './chain-history.jsx';
import { Helm } from './helm.jsx';
import { OperatorCircle } from './operator-circle.jsx';
import { Registrations } from './registrations.jsx';
import { Timetable } from './timetable.jsx';
import './shifts.css';

export function ShiftsPage() {
  const shifts = useTopic<ShiftsSnapshot>('shifts');
  if (shifts === null) return <Loading what="the chain" />;
  return (
    <div class="columns">
      <Panel title="Who is on shift" note="turns go down the keys, clockwise" class="wide-5">
        <OperatorCircle shifts={shifts} />
      </Panel>
      <div class="wide-7 stack">
        <Helm shifts={shifts} />
        <Timetable shifts={shifts} />
      </div>
      <Registrations shifts={shifts} />
      <ChainHistory history={shifts.history} />
    </div>
  );
}
