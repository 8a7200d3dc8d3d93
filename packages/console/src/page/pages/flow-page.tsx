import type { Flow } from '@horae/time-ring';
import { Button, Panel, ScrollArea } from '@horae-tooling/design/parts';
import { attempt, say } from '@horae-tooling/design/toasts';
import { Facts, Loading, ProblemText, StateBadge, SureButton, TableArea, TableHead } from '../parts/common.jsx';
import { type DrawnStep, FlowGraph } from '../parts/flow-graph.jsx';
import { When } from '../parts/when.jsx';
import { addressOf } from '../talk/address.js';
import { change } from '../talk/api.js';
import { useJobNames } from '../talk/job-names.js';
import { useLive } from '../talk/live.js';
import { useMay } from '../talk/rights.js';
import { useAsk } from '../talk/use-ask.js';
import { useWords } from '../words/language.js';
import { FlowBadge } from './flows-page.jsx';

interface Graph {
  readonly steps: readonly {
    readonly name: string;
    readonly jobId: number | null;
    readonly after: readonly string[];
  }[];
}

/** One flow: its steps as a drawing and as a table, with where each stands, live. */
export function FlowPage({ id }: { id: string }) {
  const words = useWords();
  const may = useMay();
  const { data: flow, problem, again } = useAsk<Flow>(`admin/flows/${id}`);
  const graph = useAsk<Graph>(`admin/flows/${id}/graph`);
  useLive('run-', again);
  if (flow === null || graph.data === null) {
    const refusal = problem ?? graph.problem;
    return refusal === null ? <Loading /> : <ProblemText text={refusal} />;
  }
  const steps = graph.data.steps.map((step) => ({
    ...step,
    ...(flow.steps[step.name] ?? { state: 'waiting', runId: null }),
  }));
  return (
    <div class="stack">
      <Panel title={flow.name} actions={may('operator') ? <FlowButtons flow={flow} again={again} /> : null}>
        <Facts
          facts={[
            [words.state, <FlowBadge key="state" state={flow.state} />],
            [words.flows.began, <When key="began" at={flow.createdAt} />],
            [words.alerts.ended, <When key="ended" at={flow.endedAt} />],
          ]}
        />
        <ScrollArea label={words.flows.drawing(flow.name)}>
          <FlowGraph steps={steps} label={words.flows.drawing(flow.name)} />
        </ScrollArea>
      </Panel>
      <Panel title={words.flows.steps}>
        <StepTable steps={steps} />
      </Panel>
    </div>
  );
}

function FlowButtons({ flow, again }: { flow: Flow; again: () => void }) {
  const words = useWords();
  const cancel = () =>
    attempt(async () => {
      const { cancelled } = await change<{ cancelled: boolean }>('POST', `admin/flows/${flow.id}/cancel`);
      say(cancelled ? words.flows.cancelled : words.runs.alreadyOver);
      again();
    });
  const failed = Object.values(flow.steps).flatMap(({ state, runId }) =>
    runId !== null && (state === 'failed' || state === 'killed') ? [runId] : [],
  );
  const retry = () =>
    attempt(async () => {
      for (const runId of failed) await change('POST', `admin/runs/${runId}/retry`);
      say(words.runs.retriedMany(failed.length));
      again();
    });
  return (
    <>
      {flow.state === 'failed' && failed.length > 0 ? (
        <Button small onClick={retry}>
          {words.flows.retryFailed}
        </Button>
      ) : null}
      {flow.state === 'running' ? <SureButton label={words.cancel} onSure={cancel} /> : null}
    </>
  );
}

function StepTable({ steps }: { steps: readonly DrawnStep[] }) {
  const words = useWords();
  const names = useJobNames(steps.flatMap(({ jobId }) => jobId ?? []));
  return (
    <TableArea label={words.flows.steps}>
      <TableHead texts={[words.flows.step, words.state, words.runs.job, words.title.run, words.flows.after]} />
      <tbody>
        {steps.map(({ name, state, jobId, runId, after }) => (
          <tr key={name}>
            <td>{name}</td>
            <td>{state === 'waiting' ? words.flows.states.waiting : <StateBadge state={state} />}</td>
            <td>{jobId === null ? '–' : <a href={addressOf(`jobs/${jobId}`)}>{names.get(jobId) ?? `#${jobId}`}</a>}</td>
            <td>{runId === null ? '–' : <a href={addressOf(`runs/${runId}`)}>{runId}</a>}</td>
            <td>{after.length === 0 ? '–' : after.join(', ')}</td>
          </tr>
        ))}
      </tbody>
    </TableArea>
  );
}
