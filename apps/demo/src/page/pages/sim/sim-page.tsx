import { Loading, Message, Panel } from '@horae-tooling/design/parts';
import { useEffect, useState } from 'preact/hooks';
import type { LiveHarbour, SimAnswer, SimChange, SimPreset, SimRefusal } from '../../../wire/sim.js';
import { ask, tell } from '../../live/ask-server.js';
import { useConnection, useTopic } from '../../live/live-store.js';
import { ActionPanel } from './action-panel.jsx';
import { FiguresPanel } from './figures-panel.jsx';
import { Gantt } from './gantt.jsx';
import { HarbourPanel } from './harbour-panel.jsx';
import { LogsPanel } from './logs-panel.jsx';
import { ScenarioEditor } from './scenario-editor.jsx';
import { Scrubber } from './scrubber.jsx';
import { StatePanel } from './state-panel.jsx';
import './sim.css';

export function SimPage() {
  const harbour = useTopic<LiveHarbour>('sim');
  const [presets, setPresets] = useState<readonly SimPreset[]>([]);
  const [text, setText] = useState('');
  useEffect(() => {
    void ask<{ presets: SimPreset[] }>('sim/presets').then(({ presets: found }) => {
      setPresets(found);
      setText((now) => (now === '' ? (found[0]?.text ?? '') : now));
    });
  }, []);
  return (
    <div class="stack">
      {harbour === null ? <Loading what="the harbour" /> : <HarbourPanel harbour={harbour} />}
      {text === '' ? <Loading what="the scenario" /> : <Laboratory text={text} presets={presets} onText={setText} />}
    </div>
  );
}

function Laboratory(props: { text: string; presets: readonly SimPreset[]; onText: (text: string) => void }) {
  const { text } = props;
  const [changes, setChanges] = useState<readonly SimChange[]>([]);
  const [branch, setBranch] = useState<readonly SimChange[] | null>(null);
  const [chosen, setChosen] = useState<string | null>('dock Castor');
  const [t, setT] = useState(70);
  const { good, faults, problem } = useRun(text, changes, branch);
  const startOver = (next: string) => {
    props.onText(next);
    setChanges([]);
    setBranch(null);
    setChosen(null);
  };
  const lane = good?.main.lanes.find(({ id }) => id === chosen) ?? null;
  return (
    <div class="columns">
      <ScenarioEditor text={text} faults={faults} presets={props.presets} onText={props.onText} onPreset={startOver} />
      <div class="wide-7 stack">
        {problem === null ? null : <Message tone="bad">{problem}</Message>}
        {good === null ? (
          <Loading what="the chart" />
        ) : (
          <>
            <Panel title={good.title} note={good.about}>
              <Gantt run={good.main} t={t} chosen={chosen} onChoose={setChosen} label={`Chart of ${good.title}`} />
              {good.main.hiddenLanes === 0 ? null : (
                <Message tone="warn">{good.main.hiddenLanes} more actions run and are not drawn.</Message>
              )}
              {good.main.ignored.map(({ target, reason }) => (
                <Message key={target} tone="warn">
                  Nobody was stopped: {target} ({reason.replaceAll('_', ' ')}).
                </Message>
              ))}
              <Scrubber minutes={good.main.minutes} startAt={good.main.startAt} t={t} onT={setT} />
            </Panel>
            <ActionPanel
              lane={lane}
              t={t}
              startAt={good.main.startAt}
              changes={changes}
              branch={branch}
              onChanges={setChanges}
              onBranch={setBranch}
            />
          </>
        )}
      </div>
      {good?.branch == null ? null : (
        <Panel title="Branch" note="the same day with your interrupt" class="wide-12">
          <Comparison answer={good} />
          <Gantt run={good.branch} t={t} chosen={chosen} onChoose={setChosen} label="Chart of the branch" />
        </Panel>
      )}
      <StatePanel text={text} changes={changes} t={t} isGood={faults.length === 0} />
      {good === null ? null : <FiguresPanel run={good.main} text={text} />}
      {good === null ? null : <LogsPanel run={good.main} pc={good.pc} />}
    </div>
  );
}

function Comparison({ answer }: { answer: SimAnswer }) {
  const { diff } = answer;
  if (diff === null) return null;
  if (diff.firstAt === null) return <Message>The branch is equal, event by event.</Message>;
  return (
    <Message tone="warn">
      They part at minute {diff.firstAt}: {diff.here ?? 'nothing'} here, {diff.there ?? 'nothing'} in the branch.{' '}
      {diff.onlyHere} events happen only here, {diff.onlyThere} only there.
    </Message>
  );
}

/** The latest good run stays while a faulty text is being repaired. */
function useRun(text: string, changes: readonly SimChange[], branch: readonly SimChange[] | null) {
  const [good, setGood] = useState<SimAnswer | null>(null);
  const [faults, setFaults] = useState<SimRefusal['faults']>([]);
  const [problem, setProblem] = useState<string | null>(null);
  const connection = useConnection();
  useEffect(() => {
    if (connection !== 'live') return;
    let isCurrent = true;
    const timer = setTimeout(async () => {
      try {
        const answer = await tell<SimAnswer | SimRefusal>('sim/run', { scenario: text, changes, branch });
        if (!isCurrent) return;
        setProblem(null);
        setFaults(answer.ok ? [] : answer.faults);
        if (answer.ok) setGood(answer);
      } catch (error) {
        if (isCurrent) setProblem(error instanceof Error ? error.message : String(error));
      }
    }, 150);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [text, changes, branch, connection]);
  return { good, faults, problem };
}
