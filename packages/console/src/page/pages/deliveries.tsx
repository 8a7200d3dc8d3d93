import type { AlertDelivery } from '@horae/time-ring';
import { Badge, Button, Empty, Field, Panel, type Tone } from '@horae-tooling/design/parts';
import { Choice, Loading, ProblemText, TableArea, TableHead } from '../parts/common.jsx';
import { When } from '../parts/when.jsx';
import { type Address, addressOf, replaceQuery } from '../talk/address.js';
import { useLive } from '../talk/live.js';
import { usePages } from '../talk/use-pages.js';
import { useWords } from '../words/language.js';

const tones: Readonly<Record<string, Tone>> = { sent: 'good', failed: 'bad', waiting: 'accent' };

/** Messages that wait, were sent or were given up, live. */
export function Deliveries({ address }: { address: Address }) {
  const words = useWords();
  const state = address.query.get('state') ?? '';
  const pages = usePages<AlertDelivery>('admin/alerts/deliveries', 'deliveries', { state, limit: 50 });
  useLive('alert-', pages.again);
  // Events are stored before they are sent.
  useLive('run-', pages.again);
  return (
    <Panel title={words.alerts.deliveries}>
      <div class="row row-end filters">
        <Field label={words.state}>
          <Choice
            value={state}
            options={[['', words.all], ...Object.entries(words.alerts.states)]}
            onChange={(chosen) => replaceQuery('alerts', { state: chosen })}
          />
        </Field>
      </div>
      <ProblemText text={pages.problem} />
      {pages.items === null ? (
        pages.problem === null ? (
          <Loading />
        ) : null
      ) : pages.items.length === 0 ? (
        <Empty>{words.alerts.noDeliveries}</Empty>
      ) : (
        <DeliveryTable deliveries={pages.items} />
      )}
      {pages.more === null ? null : <Button onClick={pages.more}>{words.more}</Button>}
    </Panel>
  );
}

function DeliveryTable({ deliveries }: { deliveries: readonly AlertDelivery[] }) {
  const words = useWords();
  const { alerts } = words;
  return (
    <TableArea label={alerts.deliveries}>
      <TableHead
        texts={[words.state, words.audit.when, alerts.why, alerts.text, alerts.channel, alerts.tries, alerts.next]}
      />
      <tbody>
        {deliveries.map(({ message, channel, state, tries, dueAt, endedAt, error }) => (
          <tr key={message.id} data-delivery={state}>
            <td>
              <Badge tone={tones[state] ?? 'plain'}>{alerts.states[state] ?? state}</Badge>
            </td>
            <td>
              <When at={message.at} />
            </td>
            <td>
              {alerts.causes[message.on] ?? message.on}
              {message.count > 1 ? <span class="soft tiny"> {alerts.count(message.count)}</span> : null}
            </td>
            <td>
              {message.run === null ? message.text : <a href={addressOf(`runs/${message.run.id}`)}>{message.text}</a>}
              {error === null ? null : <div class="soft tiny">{error}</div>}
            </td>
            <td>{channel}</td>
            <td class="number">{tries}</td>
            <td>
              <When at={state === 'waiting' ? dueAt : endedAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </TableArea>
  );
}
