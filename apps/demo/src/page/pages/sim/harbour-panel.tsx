import { Badge, Button, Panel } from '@horae-tooling/design/parts';
import { attempt } from '@horae-tooling/design/toasts';
import type { LiveHarbour } from '../../../wire/sim.js';
import { tell } from '../../live/ask-server.js';
import { Gantt, GanttLegend } from './gantt.jsx';

/** The harbour that runs by itself; the holder of the crane can be stopped. */
export function HarbourPanel({ harbour }: { harbour: LiveHarbour }) {
  const stop = (lock: string) =>
    attempt(() => tell('sim/harbour/interrupt', { lock }), `Whoever holds the ${lock} rests for ten minutes.`);
  return (
    <Panel
      title="Live harbour"
      note={`day ${harbour.day}, ${harbour.at.slice(11, 16)}`}
      actions={
        <span class="row">
          <GanttLegend />
          {harbour.view.locks.map(({ name, heldBy, queue }) => (
            <Badge key={name} tone={heldBy === null ? 'plain' : 'accent'}>
              {name}: {heldBy === null ? 'free' : shipAction(heldBy)}
              {queue.length > 0 ? ` +${queue.length}` : ''}
            </Badge>
          ))}
          <Button small onClick={() => stop('crane')}>
            Stop the crane
          </Button>
        </span>
      }
    >
      <Gantt
        run={{ minutes: harbour.t + 15, startAt: '2025-07-01T06:00:00Z', lanes: harbour.lanes }}
        from={harbour.from}
        t={harbour.t}
        labelOf={shipAction}
        label="What happens in the harbour"
      />
    </Panel>
  );
}

/** `unload Doris 45` without the minute that makes it unique. */
function shipAction(id: string): string {
  return id.replace(/ \d+$/, '');
}
