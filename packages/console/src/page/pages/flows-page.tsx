import type { Flow } from '@horae/time-ring';
import { Badge, Button, Empty, Field, Panel, type Tone } from '@horae-tooling/design/parts';
import { Choice, Loading, ProblemText, TableArea, TableHead } from '../parts/common.jsx';
import { TextField } from '../parts/text-field.jsx';
import { When } from '../parts/when.jsx';
import { type Address, addressOf, replaceQuery } from '../talk/address.js';
import { useLive } from '../talk/live.js';
import { useMay } from '../talk/rights.js';
import { usePages } from '../talk/use-pages.js';
import { useWords } from '../words/language.js';

const tones: Readonly<Record<string, Tone>> = { succeeded: 'good', failed: 'bad', killed: 'warn', running: 'accent' };

/** Every flow, the newest first, live. */
export function FlowsPage({ address }: { address: Address }) {
  const words = useWords();
  const may = useMay();
  const filters = { state: address.query.get('state') ?? '', name: address.query.get('name') ?? '' };
  const set = (changed: Partial<typeof filters>) => replaceQuery('flows', { ...filters, ...changed });
  const { items, problem, more, again } = usePages<Flow>('admin/flows', 'flows', { ...filters, limit: 50 });
  useLive('run-', again);
  return (
    <Panel
      title={words.title.flows}
      note={words.flows.about}
      actions={
        may('operator') ? (
          <a class="button button-primary" href={addressOf('flows/new')}>
            {words.flows.new}
          </a>
        ) : null
      }
    >
      <div class="row row-end filters">
        <Field label={words.state}>
          <Choice
            value={filters.state}
            options={[['', words.all], ...Object.entries(words.flows.states).filter(([state]) => state in tones)]}
            onChange={(state) => set({ state })}
          />
        </Field>
        <TextField label={words.flows.exactName} value={filters.name} onText={(text) => set({ name: text })} />
      </div>
      <ProblemText text={problem} />
      {items === null ? (
        problem === null ? (
          <Loading />
        ) : null
      ) : items.length === 0 ? (
        <Empty>{words.flows.empty}</Empty>
      ) : (
        <FlowTable flows={items} />
      )}
      {more === null ? null : <Button onClick={more}>{words.more}</Button>}
    </Panel>
  );
}

export function FlowBadge({ state }: { state: string }) {
  const words = useWords();
  return (
    <Badge tone={tones[state] ?? 'plain'} alive={state === 'running'}>
      {words.flows.states[state] ?? state}
    </Badge>
  );
}

function FlowTable({ flows }: { flows: readonly Flow[] }) {
  const words = useWords();
  return (
    <TableArea label={words.title.flows}>
      <TableHead
        texts={[words.title.flow, words.name, words.state, words.flows.steps, words.flows.began, words.alerts.ended]}
      />
      <tbody>
        {flows.map((flow) => (
          <tr key={flow.id} data-flow={flow.name}>
            <td>
              <a href={addressOf(`flows/${flow.id}`)}>{flow.id}</a>
            </td>
            <td>{flow.name}</td>
            <td>
              <FlowBadge state={flow.state} />
            </td>
            <td class="number">{overOf(flow)}</td>
            <td>
              <When at={flow.createdAt} />
            </td>
            <td>
              <When at={flow.endedAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </TableArea>
  );
}

/** How many steps are over, of how many. */
function overOf({ steps }: Flow): string {
  const states = Object.values(steps).map(({ state }) => state);
  const over = states.filter((state) => ['succeeded', 'failed', 'killed', 'skipped'].includes(state));
  return `${over.length} / ${states.length}`;
}
