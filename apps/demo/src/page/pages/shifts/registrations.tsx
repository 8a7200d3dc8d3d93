import { Badge, Button, Field, Panel } from '@horae-tooling/design/parts';
import { fromNow } from '@horae-tooling/design/times';
import { attempt, say } from '@horae-tooling/design/toasts';
import { useState } from 'preact/hooks';
import type { ChainRecord, LifecycleStep, ShiftsSnapshot } from '../../../wire/shifts.js';
import { tell } from '../../live/ask-server.js';
import { useNow } from '../../live/live-store.js';

const hours = ['Auge', 'Anatole', 'Musike', 'Nymphe', 'Mesembria', 'Sponde', 'Elete', 'Akte', 'Hesperis', 'Dysis'];

/** The operators that wait to join, and those that may leave. */
export function Registrations({ shifts }: { shifts: ShiftsSnapshot }) {
  const now = useNow();
  const taken = new Set([...shifts.active, ...shifts.registered, ...shifts.retired].map(({ name }) => name));
  const free = hours.filter((name) => !taken.has(name));
  const [chosen, setChosen] = useState('');
  const name = free.includes(chosen) ? chosen : (free[0] ?? '');
  const act = (step: LifecycleStep, operator: string) =>
    attempt(async () => {
      const record = await tell<ChainRecord>('shifts/lifecycle', { step, name: operator });
      if (record.accepted) say(`${record.what}: accepted.`);
      else say(`${record.what}: refused by ${record.violations.map(({ rule }) => rule).join(', ')}.`, 'bad');
    });
  return (
    <Panel title="Coming and going" note={`a registration waits ${shifts.registrationMs / 1000} s`} class="wide-5">
      <div class="stack">
        <div class="row row-end">
          <Field label="A new operator">
            <select class="input" value={name} onChange={(event) => setChosen(event.currentTarget.value)}>
              {free.map((hour) => (
                <option key={hour}>{hour}</option>
              ))}
            </select>
          </Field>
          <Button kind="primary" disabled={name === ''} onClick={() => act('register', name)}>
            Register
          </Button>
        </div>
        <div class="stack-tight">
          <h3>Waiting</h3>
          {shifts.registered.length === 0 ? (
            <p class="soft small">Nobody waits.</p>
          ) : (
            <ul class="people">
              {shifts.registered.map(({ name: waiting, activationTime }) => (
                <li key={waiting}>
                  <strong>{waiting}</strong>
                  <span class="soft small number">
                    {activationTime <= now ? 'may enter' : `may enter ${fromNow(activationTime, now)}`}
                  </span>
                  <Button small onClick={() => act('activate', waiting)}>
                    Activate
                  </Button>
                  <Button small onClick={() => act('deregister', waiting)}>
                    Withdraw
                  </Button>
                </li>
              ))}
            </ul>
          )}
        </div>
        <div class="stack-tight">
          <h3>Active</h3>
          <ul class="people">
            {[...shifts.active].reverse().map(({ name: active, key }) => (
              <li key={key}>
                <strong>{active}</strong>
                <code class="soft tiny">{key.slice(0, 8)}…</code>
                {active === shifts.current?.operator ? <Badge tone="accent">on shift</Badge> : <span />}
                <Button small onClick={() => act('retire', active)}>
                  Retire
                </Button>
              </li>
            ))}
          </ul>
        </div>
        {shifts.retired.length === 0 ? null : (
          <p class="small soft">Retired: {shifts.retired.map((operator) => operator.name).join(', ')}</p>
        )}
      </div>
    </Panel>
  );
}
