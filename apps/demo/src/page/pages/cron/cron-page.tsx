import { Loading, Message, Panel } from '@horae-tooling/design/parts';
import { useEffect, useState } from 'preact/hooks';
import type { CronAnalysis, CronRefusal } from '../../../wire/cron.js';
import { ask } from '../../live/ask-server.js';
import { useConnection } from '../../live/live-store.js';
import { ClockChanges } from './clock-changes.jsx';
import { CronForm, type CronInput, firstInput } from './cron-form.jsx';
import { HourHeat } from './hour-heat.jsx';
import { RunList } from './run-list.jsx';
import { YearCalendar } from './year-calendar.jsx';
import './cron.css';

const WAIT_MS = 120;

export function CronPage() {
  const [input, setInput] = useState<CronInput>(firstInput);
  const { answer, problem } = useAnalysis(input);
  return (
    <div class="stack">
      <CronForm input={input} answer={answer} onInput={setInput} />
      {problem === null ? null : <Message tone="bad">{problem}</Message>}
      {answer === null && problem === null ? <Loading what="the analysis" /> : null}
      {answer?.ok === true ? <Analysis answer={answer} input={input} /> : null}
    </div>
  );
}

function Analysis({ answer, input }: { answer: CronAnalysis; input: CronInput }) {
  return (
    <div class="columns">
      <Panel title="Next runs" note={input.zone} class="wide-4">
        <RunList runs={answer.next} zone={input.zone} empty="It never runs again." />
      </Panel>
      <Panel title="Previous runs" note={input.zone} class="wide-4">
        <RunList runs={answer.previous} zone={input.zone} empty="It has never run." />
      </Panel>
      <ClockChanges answer={answer} zone={input.zone} />
      <Panel
        title={`${answer.year}, day by day`}
        note={`${sum(answer.perDay).toLocaleString('en')} runs`}
        class="wide-12"
      >
        <YearCalendar answer={answer} />
      </Panel>
      <Panel title="Day by hour" note="runs in the whole year" class="wide-12">
        <HourHeat perHour={answer.perHour} />
      </Panel>
    </div>
  );
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((a, b) => a + b, 0);
}

/** Queries the server when the input has not changed for a moment; late answers are dropped. */
function useAnalysis(input: CronInput) {
  const [answer, setAnswer] = useState<CronAnalysis | CronRefusal | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const connection = useConnection();
  // a server that is back is asked again.
  useEffect(() => {
    let isCurrent = true;
    const timer = setTimeout(async () => {
      try {
        const found = await ask<CronAnalysis | CronRefusal>('cron/analyse', { ...input });
        if (!isCurrent) return;
        setAnswer(found);
        setProblem(null);
      } catch (error) {
        if (isCurrent) setProblem(error instanceof Error ? error.message : String(error));
      }
    }, WAIT_MS);
    return () => {
      isCurrent = false;
      clearTimeout(timer);
    };
  }, [input, connection]);
  return { answer, problem };
}
