import type { ExecutorInfo, Group } from '@horae/time-ring';
import { Badge, Button, Empty, Panel } from '@horae-tooling/design/parts';
import { attempt } from '@horae-tooling/design/toasts';
import { useState } from 'preact/hooks';
import { Loading, ProblemText, SureButton, TableArea, TableHead } from '../parts/common.jsx';
import { TextArea, TextField } from '../parts/text-field.jsx';
import { When } from '../parts/when.jsx';
import { change } from '../talk/api.js';
import { useLive, useLookForLost } from '../talk/live.js';
import { useMay } from '../talk/rights.js';
import { useAsk } from '../talk/use-ask.js';
import { useWords } from '../words/language.js';

/** Groups and their executors. */
export function ExecutorsPage() {
  const words = useWords();
  const { data, problem, again } = useAsk<{ executors: readonly ExecutorInfo[] }>('admin/executors');
  const groups = useAsk<{ groups: readonly Group[] }>('admin/groups');
  useLive('executor-', again);
  useLookForLost(again);
  return (
    <div class="stack">
      <Groups groups={groups.data?.groups ?? null} again={groups.again} />
      <Panel title={words.executors.members}>
        <ProblemText text={problem} />
        {data === null ? (
          <Loading />
        ) : data.executors.length === 0 ? (
          <Empty>{words.executors.noMembers}</Empty>
        ) : (
          <Members executors={data.executors} />
        )}
      </Panel>
    </div>
  );
}

function Members({ executors }: { executors: readonly ExecutorInfo[] }) {
  const words = useWords();
  return (
    <TableArea label={words.executors.members}>
      <TableHead
        texts={[
          words.jobs.group,
          words.executors.address,
          words.executors.kind,
          words.executors.heartbeat,
          words.executors.breaker,
          words.executors.handlers,
        ]}
      />
      <tbody>
        {executors.map((one) => (
          <tr key={`${one.group} ${one.address}`} data-executor={one.address}>
            <td>{one.group}</td>
            <td class="mono">{one.address}</td>
            <td>{one.kind}</td>
            <td>
              <When at={one.beatAt} />
            </td>
            <td>
              <Badge tone={one.breaker === 'closed' ? 'good' : 'bad'}>{one.breaker}</Badge>
            </td>
            <td>
              {one.handlers === null ? (
                <span class="soft">{words.executors.allHandlers}</span>
              ) : (
                one.handlers.join(', ')
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </TableArea>
  );
}

function Groups({ groups, again }: { groups: readonly Group[] | null; again: () => void }) {
  const words = useWords();
  const may = useMay();
  const [draft, setDraft] = useState<Group>({
    ...{ name: '', title: '', addresses: [], maxRunning: null, rate: null, alerts: [], paused: false },
  });
  const act = (work: () => Promise<unknown>) => async () => {
    await attempt(work);
    again();
  };
  return (
    <Panel title={words.jobs.group}>
      {groups === null ? (
        <Loading />
      ) : groups.length === 0 ? (
        <Empty>{words.executors.empty}</Empty>
      ) : (
        <TableArea label={words.jobs.group}>
          <TableHead
            texts={[words.name, words.state, words.executors.title, words.executors.addresses.split(',')[0]!]}
            hasActions
          />
          <tbody>
            {groups.map((group) => (
              <tr key={group.name} data-group={group.name}>
                <td>{group.name}</td>
                <td>
                  <Badge tone={group.paused ? 'warn' : 'good'}>
                    {group.paused ? words.executors.paused : words.executors.active}
                  </Badge>
                </td>
                <td>{group.title}</td>
                <td class="mono">{group.addresses.join(', ')}</td>
                <GroupButtons group={group} act={act} edit={setDraft} />
              </tr>
            ))}
          </tbody>
        </TableArea>
      )}
      {may('admin') ? (
        <GroupForm key={draft.name} first={draft} onSave={(body) => act(() => change('PUT', 'admin/groups', body))()} />
      ) : null}
    </Panel>
  );
}

interface GroupButtonsProps {
  readonly group: Group;
  readonly act: (work: () => Promise<unknown>) => () => Promise<void>;
  readonly edit: (group: Group) => void;
}

function GroupButtons({ group, act, edit }: GroupButtonsProps) {
  const words = useWords();
  const may = useMay();
  return (
    <td class="row">
      {may('operator') ? (
        <Button
          small
          aria-label={`${group.paused ? words.executors.resume : words.executors.pause} ${group.name}`}
          onClick={act(() =>
            change('POST', `admin/groups/${encodeURIComponent(group.name)}/${group.paused ? 'resume' : 'pause'}`),
          )}
        >
          {group.paused ? words.executors.resume : words.executors.pause}
        </Button>
      ) : null}
      {may('admin') ? (
        <>
          <Button small onClick={() => edit(group)}>
            {words.edit}
          </Button>
          <SureButton
            label={words.remove}
            onSure={act(() => change('DELETE', `admin/groups/${encodeURIComponent(group.name)}`))}
          />
        </>
      ) : null}
    </td>
  );
}

function GroupForm({ first, onSave }: { first: Group; onSave: (body: object) => Promise<void> }) {
  const words = useWords();
  const [name, setName] = useState(first.name);
  const [title, setTitle] = useState(first.title);
  const [addresses, setAddresses] = useState(first.addresses.join('\n'));
  const [maxRunning, setMaxRunning] = useState(first.maxRunning === null ? '' : String(first.maxRunning));
  const lines = addresses
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return (
    <details open={first.name !== ''}>
      <summary>{words.executors.newGroup}</summary>
      <div class="job-fields">
        <TextField label={words.name} value={name} onText={setName} />
        <TextField label={words.executors.title} value={title} onText={setTitle} />
        <TextField label={words.executors.maxRunning} type="number" min={1} value={maxRunning} onText={setMaxRunning} />
        <TextArea
          label={words.executors.addresses}
          class="wide"
          isMono
          rows={3}
          value={addresses}
          onText={setAddresses}
        />
        <Button
          kind="primary"
          onClick={() =>
            onSave({
              ...{ name, title, addresses: lines, maxRunning: maxRunning === '' ? null : Number(maxRunning) },
              // Settings without a field here stay unchanged.
              ...{ rate: first.rate, alerts: first.alerts },
            })
          }
        >
          {words.save}
        </Button>
      </div>
    </details>
  );
}
