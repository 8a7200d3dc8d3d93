import { addressOf } from '../talk/address.js';
import { useWords } from '../words/language.js';
import { type GraphStep, layOutFlow, NODE } from './flow-layout.js';

/** A step as it is drawn. */
export interface DrawnStep extends GraphStep {
  readonly state: string;
  readonly runId: number | null;
  readonly jobId: number | null;
}

const MAX_TEXT = 20;
const shortened = (text: string) => (text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT - 1)}…` : text);

/** The steps of a flow, each a link to its run where it has one; the table has the same data for readers that cannot see the drawing. */
export function FlowGraph({ steps, label }: { steps: readonly DrawnStep[]; label: string }) {
  const words = useWords();
  const { nodes, edges, width, height } = layOutFlow(steps);
  const stateText = (state: string) => words.runs.states[state] ?? words.flows.states[state] ?? state;
  return (
    // biome-ignore lint/a11y/useSemanticElements: there is no element for a drawing with links in it.
    <svg class="flow-graph" role="group" aria-label={label} width={width + 4} height={height + 4}>
      <g transform="translate(2 2)">
        {edges.map(({ from, to }) => {
          const [x1, y1] = [from.x + NODE.width, from.y + NODE.height / 2];
          const [x2, y2] = [to.x, to.y + NODE.height / 2];
          const middle = (x1 + x2) / 2;
          return (
            <path
              key={`${from.step.name} ${to.step.name}`}
              class="flow-edge"
              d={`M${x1} ${y1} C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}`}
            />
          );
        })}
        {nodes.map(({ step, x, y }) => (
          <a
            key={step.name}
            href={step.runId === null ? addressOf(`jobs/${step.jobId ?? ''}`) : addressOf(`runs/${step.runId}`)}
            data-step={step.name}
            data-step-state={step.state}
          >
            <rect x={x} y={y} width={NODE.width} height={NODE.height} rx={8} class={`flow-node flow-${step.state}`} />
            <text x={x + 12} y={y + 20} class="flow-name">
              {shortened(step.name)}
            </text>{' '}
            <text x={x + 12} y={y + 37} class="flow-state">
              {stateText(step.state)}
            </text>
          </a>
        ))}
      </g>
    </svg>
  );
}
