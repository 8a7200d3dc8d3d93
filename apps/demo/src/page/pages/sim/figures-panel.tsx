import { Empty, Message, Panel, ScrollArea } from '@horae-tooling/design/parts';
import { useEffect, useState } from 'preact/hooks';
import type { LockFigure, SimRefusal, SimReplication, SimRun } from '../../../wire/sim.js';
import { tell } from '../../live/ask-server.js';

const RUNS = 100;
const [WIDTH, HEIGHT] = [240, 36];

/** How busy each lock is, how long its queue is over time, and the same over many runs with other seeds. */
export function FiguresPanel({ run, text }: { run: SimRun; text: string }) {
  return (
    <Panel title="Figures" note="utilisation, queues and replications" class="wide-12">
      {run.figures.length === 0 ? (
        <Empty>No lock is used.</Empty>
      ) : (
        <ScrollArea label="Locks">
          <table class="small figures">
            <thead>
              <tr>
                <th>Lock</th>
                <th>Busy</th>
                <th>Queue, mean</th>
                <th>Queue, most</th>
                <th>Queue over time</th>
              </tr>
            </thead>
            <tbody>
              {run.figures.map((figure) => (
                <LockRow key={figure.name} figure={figure} minutes={run.minutes} />
              ))}
            </tbody>
          </table>
        </ScrollArea>
      )}
      <Replications text={text} />
    </Panel>
  );
}

function LockRow({ figure, minutes }: { figure: LockFigure; minutes: number }) {
  const { name, capacity, utilisation, queueMean, queueMax } = figure;
  return (
    <tr>
      <td>
        {name}
        {capacity > 1 ? <span class="soft"> ×{capacity}</span> : null}
      </td>
      <td class="number">
        <meter min={0} max={1} value={utilisation} aria-label={`${name} is busy`} /> {Math.round(utilisation * 100)} %
      </td>
      <td class="number">{queueMean.toFixed(2)}</td>
      <td class="number">{queueMax}</td>
      <td>
        <svg
          viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
          width={WIDTH}
          height={HEIGHT}
          role="img"
          aria-label={`Queue for ${name}`}
        >
          <path class="queue-line" d={pathOf(figure, minutes)} />
        </svg>
      </td>
    </tr>
  );
}

function pathOf({ queue, queueMax }: LockFigure, minutes: number): string {
  const x = (t: number) => Math.round((t / minutes) * WIDTH * 10) / 10;
  const y = (length: number) => Math.round((HEIGHT - 2 - (length / Math.max(1, queueMax)) * (HEIGHT - 4)) * 10) / 10;
  const steps = queue.map(([t, length], i) => (i === 0 ? `M${x(t)} ${y(length)}` : `H${x(t)}V${y(length)}`));
  return `${steps.join('')}H${WIDTH}`;
}

function Replications({ text }: { text: string }) {
  const [found, setFound] = useState<SimReplication | null>(null);
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  useEffect(() => setFound(null), [text]);
  const replicate = async () => {
    setBusy(true);
    setProblem(null);
    try {
      const answer = await tell<SimReplication | SimRefusal>('sim/replicate', { scenario: text, runs: RUNS });
      if (answer.ok) setFound(answer);
      else setProblem(answer.faults.map(({ path, expected }) => `${path}: expected ${expected}`).join('; '));
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
    setBusy(false);
  };
  return (
    <div class="stack-tight">
      <div class="row">
        <button type="button" disabled={isBusy} onClick={() => void replicate()}>
          {isBusy ? 'Running …' : `Run it ${RUNS} times`}
        </button>
      </div>
      {problem === null ? null : <Message tone="bad">{problem}</Message>}
      {found === null ? null : (
        <table class="small figures" aria-label="Replications">
          <thead>
            <tr>
              <th>Figure, {found.runs} runs</th>
              <th>Mean</th>
              <th>95 % interval</th>
            </tr>
          </thead>
          <tbody>
            {found.figures.map(({ name, mean, low, high }) => (
              <tr key={name}>
                <td>{name}</td>
                <td class="number">{mean.toPrecision(3)}</td>
                <td class="number">
                  {low.toPrecision(3)} to {high.toPrecision(3)}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </div>
  );
}
