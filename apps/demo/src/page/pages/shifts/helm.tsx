import { Button, Field, Message, Panel } from '@horae-tooling/design/parts';
import { attempt } from '@horae-tooling/design/toasts';
import { useState } from 'preact/hooks';
import type { ChainRecord, ShiftsSnapshot } from '../../../wire/shifts.js';
import { tell } from '../../live/ask-server.js';
import { Violations } from './violations.jsx';

/** Submit a transaction by hand, or leave it to the keepers. */
export function Helm({ shifts }: { shifts: ShiftsSnapshot }) {
  const [signer, setSigner] = useState('');
  const [latest, setLatest] = useState<ChainRecord | null>(null);
  const submit = (redeemer: 'advance' | 'rewind') =>
    attempt(async () =>
      setLatest(await tell<ChainRecord>('shifts/submit', { redeemer, signer: signer === '' ? null : signer })),
    );
  return (
    <Panel
      title="The helm"
      actions={
        <label class="switch">
          <input
            type="checkbox"
            role="switch"
            aria-checked={shifts.autopilot}
            checked={shifts.autopilot}
            onChange={(event) => {
              const on = event.currentTarget.checked;
              return attempt(() => tell('shifts/autopilot', { on }));
            }}
          />
          Keepers do it
        </label>
      }
    >
      <div class="stack-tight">
        <Message tone={shifts.plan.possible ? 'plain' : 'warn'}>
          <strong>Next legal step: </strong>
          <span data-testid="plan">{shifts.plan.text}</span>
        </Message>
        <div class="row row-end">
          <Field label="Signed by">
            <select class="input" value={signer} onChange={(event) => setSigner(event.currentTarget.value)}>
              <option value="">nobody</option>
              {shifts.active.map(({ name }) => (
                <option key={name}>{name}</option>
              ))}
            </select>
          </Field>
          <Button kind="primary" onClick={() => submit('advance')}>
            Advance
          </Button>
          <Button onClick={() => submit('rewind')}>Rewind</Button>
          <Button onClick={() => attempt(() => tell('shifts/rollback'), 'The chain went back one step.')}>
            Roll back
          </Button>
        </div>
        <div aria-live="polite" data-testid="verdict">
          {latest === null ? null : latest.accepted ? (
            <Message tone="good">Accepted: {latest.what}.</Message>
          ) : (
            <Message tone="bad">
              <strong>Refused: {latest.what}.</strong>
              <Violations violations={latest.violations} />
            </Message>
          )}
        </div>
      </div>
    </Panel>
  );
}
