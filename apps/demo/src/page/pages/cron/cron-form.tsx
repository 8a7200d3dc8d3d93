import { Badge, Button, Field } from '@horae-tooling/design/parts';
import { dateTime } from '@horae-tooling/design/times';
import type { CronAnalysis, CronDialectName, CronFaultView, CronRefusal } from '../../../wire/cron.js';
import { DialectSelect } from './dialect-select.jsx';

export interface CronInput {
  readonly expression: string;
  readonly dialect: CronDialectName;
  readonly zone: string;
  readonly second: string;
}

export const firstInput: CronInput = {
  expression: '30 2 * * 0-3,6',
  dialect: 'posix',
  zone: 'Europe/Berlin',
  second: '30 2 1,15 * *',
};

const examples: readonly CronInput[] = [
  { ...firstInput, expression: '*/15 9-17 * * mon-fri', second: '' },
  { ...firstInput, expression: '5/20 8-18 * * mon-fri', dialect: 'vixie', second: '' },
  { ...firstInput, expression: '0 9 * * 1-5', second: '0 9 1,15 * *' },
  { ...firstInput, expression: '0 30 9 ? * 6#3', dialect: 'quartz', second: '' },
  { ...firstInput, expression: '0 0 30 2 *', second: '' },
];

const zones = Intl.supportedValuesOf('timeZone');

export function CronForm(props: {
  input: CronInput;
  answer: CronAnalysis | CronRefusal | null;
  onInput: (input: CronInput) => void;
}) {
  const { input, answer, onInput } = props;
  const change = (part: Partial<CronInput>) => onInput({ ...input, ...part });
  const fault = answer?.ok === false ? answer.fault : null;
  return (
    <section class="panel cron-form" aria-label="Expression">
      <Field label="Expression">
        <input
          class={`cron-input ${fault === null ? '' : 'input-bad'}`}
          value={input.expression}
          spellcheck={false}
          autocomplete="off"
          aria-invalid={fault !== null}
          aria-describedby="cron-meaning"
          onInput={(event) => change({ expression: event.currentTarget.value })}
        />
      </Field>
      <div id="cron-meaning" aria-live="polite" class="cron-meaning">
        {fault !== null ? (
          <Fault text={input.expression} fault={fault} onFix={(expression) => change({ expression })} />
        ) : answer?.ok === true ? (
          <Meaning answer={answer} />
        ) : null}
      </div>
      <div class="cron-options">
        <Field label="Dialect">
          <DialectSelect value={input.dialect} onChange={(dialect) => change({ dialect })} />
        </Field>
        <Field label="Zone">
          <select class="input" value={input.zone} onChange={(event) => change({ zone: event.currentTarget.value })}>
            {[...new Set(['UTC', input.zone, ...zones])].map((zone) => (
              <option key={zone}>{zone}</option>
            ))}
          </select>
        </Field>
        <Field label="Overlap with">
          <input
            class="input input-mono"
            value={input.second}
            spellcheck={false}
            autocomplete="off"
            placeholder="a second expression"
            onInput={(event) => change({ second: event.currentTarget.value })}
          />
        </Field>
        <div class="small cron-overlap">
          {answer?.ok === true ? <Together answer={answer} zone={input.zone} /> : null}
        </div>
      </div>
      <div class="row">
        <span class="soft tiny">Try</span>
        {examples.map((example) => (
          <Button key={example.expression} small onClick={() => onInput({ ...example, zone: input.zone })}>
            <code>{example.expression}</code>
          </Button>
        ))}
      </div>
    </section>
  );
}

function Meaning({ answer }: { answer: CronAnalysis }) {
  return (
    <div class="stack-tight">
      <p class="cron-words">{answer.words}</p>
      <div class="row">
        {answer.lints.map(({ severity, message }) => (
          <Badge key={message} tone={severity === 'warning' ? 'warn' : 'plain'}>
            <span class="cron-lint">{message}</span>
          </Badge>
        ))}
      </div>
    </div>
  );
}

/** The expression once more, with the wrong characters marked, the reason, and the way out. */
function Fault(props: { text: string; fault: CronFaultView; onFix: (expression: string) => void }) {
  const { text, fault, onFix } = props;
  const start = Math.min(text.length, fault.column - 1);
  const end = Math.min(text.length, start + fault.length);
  return (
    <div class="stack-tight">
      <pre class="cron-echo">
        {text.slice(0, start)}
        <mark>{text.slice(start, end) || ' '}</mark>
        {text.slice(end)}
      </pre>
      <p class="tone-bad">
        {fault.field === 'expression' ? 'The expression' : `The ${fault.field} field`} {fault.message}
      </p>
      {fault.suggestion === null ? null : (
        <div class="row">
          <Button kind="primary" small onClick={() => onFix(fault.suggestion!)}>
            Use <code>{fault.suggestion}</code>
          </Button>
        </div>
      )}
    </div>
  );
}

function Together({ answer, zone }: { answer: CronAnalysis; zone: string }) {
  if (answer.secondFault !== null)
    return (
      <span class="tone-bad">
        The {answer.secondFault.field} field {answer.secondFault.message}
      </span>
    );
  if (answer.overlap === null) return null;
  if (answer.overlap.count === 0) return <span>They never meet in {answer.year}.</span>;
  return (
    <span>
      They meet <strong class="number">{answer.overlap.count.toLocaleString('en')}</strong> times in {answer.year},
      first on {dateTime(answer.overlap.first!, zone)}.
    </span>
  );
}
