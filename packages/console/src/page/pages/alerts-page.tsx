import { Badge, Button, Empty, Panel } from '@horae-tooling/design/parts';
import { attempt } from '@horae-tooling/design/toasts';
import { Loading, ProblemText, TableArea } from '../parts/common.jsx';
import type { Address } from '../talk/address.js';
import type { AlertsView, ChannelView } from '../talk/alerts.js';
import { change } from '../talk/api.js';
import { useMay, useSeesAll } from '../talk/rights.js';
import { useAsk } from '../talk/use-ask.js';
import { useWords } from '../words/language.js';
import { AlertRules } from './alert-rules.jsx';
import { Deliveries } from './deliveries.jsx';

/** Alerts: rules, the channels they name, and the deliveries of messages. */
export function AlertsPage({ address }: { address: Address }) {
  const words = useWords();
  const { data, problem } = useAsk<AlertsView>('admin/alerts');
  if (data === null) return problem === null ? <Loading /> : <ProblemText text={problem} />;
  return (
    <div class="stack">
      <Panel title={words.alerts.channels} note={words.alerts.channelsNote}>
        {data.channels.length === 0 ? (
          <Empty>{words.alerts.noChannels}</Empty>
        ) : (
          <ChannelTable channels={data.channels} />
        )}
      </Panel>
      <AlertRules ringRules={data.rules} channels={data.channels.map(({ name }) => name)} />
      <Deliveries address={address} />
    </div>
  );
}

function ChannelTable({ channels }: { channels: readonly ChannelView[] }) {
  const words = useWords();
  const may = useMay();
  const mayTest = useSeesAll() && may('editor');
  const test = (channel: string) =>
    attempt(() => change('POST', 'admin/alerts/test', { channel }), words.alerts.tested(channel));
  return (
    <TableArea label={words.alerts.channels}>
      <thead>
        <tr>
          {[words.name, words.executors.kind, words.alerts.target, words.alerts.format].map((text) => (
            <th key={text} scope="col">
              {text}
            </th>
          ))}
          {mayTest ? <td /> : null}
        </tr>
      </thead>
      <tbody>
        {channels.map(({ name, kind, target, format, isSigned }) => (
          <tr key={name} data-channel={name}>
            <td>{name}</td>
            <td>{kind}</td>
            <td class="mono">{target === '' ? '–' : target}</td>
            <td>
              {format ?? '–'} {isSigned ? <Badge tone="good">{words.alerts.signed}</Badge> : null}
            </td>
            {mayTest ? (
              <td>
                <Button small aria-label={words.alerts.testTo(name)} onClick={() => test(name)}>
                  {words.alerts.test}
                </Button>
              </td>
            ) : null}
          </tr>
        ))}
      </tbody>
    </TableArea>
  );
}
