import { Badge, Button, Empty, Field, Message, Panel } from '@horae-tooling/design/parts';
import { minuteClock } from '@horae-tooling/design/times';
import { useState } from 'preact/hooks';
import type { GanttLane, SimChange } from '../../../wire/sim.js';

/** The chosen action: why it waited, and what happens if it is stopped, here or in a branch. */
export function ActionPanel(props: {
  lane: GanttLane | null;
  t: number;
  startAt: string;
  changes: readonly SimChange[];
  branch: readonly SimChange[] | null;
  onChanges: (changes: readonly SimChange[]) => void;
  onBranch: (branch: readonly SimChange[] | null) => void;
}) {
  const { lane, t, startAt, changes, branch } = props;
  const [resumeAfterMin, setResume] = useState(20);
  const at = minuteClock(startAt, t);
  const change = (): SimChange => ({ t, target: lane?.id ?? '', resumeAfterMin });
  return (
    <Panel
      title={lane === null ? 'An action' : lane.id}
      note={
        lane === null
          ? undefined
          : `${lane.verb} by ${lane.actor}${lane.locks.length > 0 ? `, needs ${lane.locks.join(' and ')}` : ''}`
      }
    >
      {lane === null ? (
        <Empty>Choose an action in the chart to see why it waited, to stop it, or to branch.</Empty>
      ) : (
        <div class="stack-tight">
          <Message tone={lane.rejected !== null ? 'bad' : lane.why === null ? 'plain' : 'warn'}>
            {lane.rejected ?? lane.why ?? 'It did not wait for anybody.'}
          </Message>
          <div class="row row-end">
            <Field label="Resumes after, minutes">
              <input
                class="input"
                type="number"
                min={0}
                max={600}
                value={resumeAfterMin}
                onInput={(event) => setResume(Math.max(0, Math.round(Number(event.currentTarget.value))))}
              />
            </Field>
            <Button onClick={() => props.onChanges([...changes, change()])}>Interrupt at {at}</Button>
            <Button kind="primary" onClick={() => props.onBranch([...(branch ?? []), change()])}>
              Branch: interrupt at {at}
            </Button>
          </div>
        </div>
      )}
      {changes.length + (branch?.length ?? 0) === 0 ? null : (
        <div class="row changes">
          {changes.map((item, i) => (
            <Badge key={`${i}-${item.target}`} tone="warn">
              {item.target} stopped at {minuteClock(startAt, item.t)}
            </Badge>
          ))}
          {branch?.map((item, i) => (
            <Badge key={`${i}-${item.target}`} tone="accent">
              branch: {item.target} stopped at {minuteClock(startAt, item.t)}
            </Badge>
          ))}
          <Button
            small
            onClick={() => {
              props.onChanges([]);
              props.onBranch(null);
            }}
          >
            Undo all
          </Button>
        </div>
      )}
    </Panel>
  );
}
