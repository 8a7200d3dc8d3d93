import { Badge, Empty, Loading, Panel } from '@horae-tooling/design/parts';
import { useEffect, useState } from 'preact/hooks';
import type { SimChange, SimRefusal, SimView } from '../../../wire/sim.js';
import { tell } from '../../live/ask-server.js';

/** The world at the chosen minute, as the engine has it. */
export function StatePanel(props: { text: string; changes: readonly SimChange[]; t: number; isGood: boolean }) {
  const view = useView(props);
  return (
    <Panel title="The world at this minute" note={view === null ? undefined : view.at.slice(11, 16)} class="wide-5">
      {view === null ? (
        <Loading what="the state" />
      ) : (
        <div class="stack">
          <Names title="Running" names={view.running} tone="good" />
          <Names title="Waiting" names={view.waiting} tone="warn" />
          <Names title="Suspended" names={view.suspended} tone="plain" />
          <div class="stack-tight">
            <h3>Locks</h3>
            {view.locks.length === 0 ? (
              <Empty>No lock has been used yet.</Empty>
            ) : (
              <ul class="locks small">
                {view.locks.map(({ name, heldBy, queue }) => (
                  <li key={name}>
                    <strong>{name}</strong> <span class={heldBy === null ? 'soft' : ''}>{heldBy ?? 'free'}</span>
                    {queue.length === 0 ? null : <span class="soft">, then {queue.join(', ')}</span>}
                  </li>
                ))}
              </ul>
            )}
          </div>
          {view.resources.length === 0 ? null : (
            <div class="stack-tight">
              <h3>Resources</h3>
              <p class="small number">
                {view.resources
                  .map(({ name, stock, reserved }) => `${name}: ${stock}, ${reserved} reserved`)
                  .join('; ')}
              </p>
            </div>
          )}
        </div>
      )}
    </Panel>
  );
}

function Names(props: { title: string; names: readonly string[]; tone: 'good' | 'warn' | 'plain' }) {
  return (
    <div class="stack-tight">
      <h3>{props.title}</h3>
      <div class="row">
        {props.names.length === 0 ? <span class="soft small">nobody</span> : null}
        {props.names.map((name) => (
          <Badge key={name} tone={props.tone}>
            {name}
          </Badge>
        ))}
      </div>
    </div>
  );
}

function useView(props: { text: string; changes: readonly SimChange[]; t: number; isGood: boolean }): SimView | null {
  const { text, changes, t, isGood } = props;
  const [view, setView] = useState<SimView | null>(null);
  useEffect(() => {
    if (!isGood) return;
    let isCurrent = true;
    const timer = setTimeout(() => {
      tell<SimView | SimRefusal>('sim/view', { scenario: text, changes, t })
        .then((found) => isCurrent && 't' in found && setView(found))
        .catch(() => {});
    }, 40);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [text, changes, t, isGood]);
  return view;
}
