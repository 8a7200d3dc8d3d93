import type { AlertRule } from '@horae/time-ring';
import { alertCauses } from '@horae/time-ring/strategies';
import { Button, Field } from '@horae-tooling/design/parts';
import { useWords } from '../words/language.js';
import { Choice } from './common.jsx';

/** Only these two have a time of their own. */
const hasTime = ({ on }: AlertRule) => on === 'late' || on === 'run-waiting';

/** Rules for alerts, one per line. Channels that this node has are offered; another node may have more. */
export function RuleEditor(props: {
  rules: readonly AlertRule[];
  channels: readonly string[];
  onChange: (rules: readonly AlertRule[]) => void;
}) {
  const words = useWords();
  const { rules, channels, onChange } = props;
  const set = (index: number, rule: AlertRule) => onChange(rules.map((one, at) => (at === index ? rule : one)));
  const add = () => onChange([...rules, { on: 'fire-failed', channel: channels[0] ?? '' }]);
  return (
    <div class="stack-tight">
      <datalist id="alert-channels">
        {channels.map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
      {rules.map((rule, index) => (
        <fieldset key={index} class="row row-end rule" data-testid="rule">
          <legend class="sr-only">{words.alerts.rule(index + 1)}</legend>
          <Field label={words.alerts.cause}>
            <Choice
              value={rule.on}
              options={alertCauses.map((cause) => [cause, words.alerts.causes[cause] ?? cause])}
              onChange={(on) => set(index, { on, channel: rule.channel })}
            />
          </Field>
          {hasTime(rule) ? <AfterField rule={rule} onChange={(changed) => set(index, changed)} /> : null}
          <Field label={words.alerts.channel}>
            <input
              class="input"
              list="alert-channels"
              required
              value={rule.channel}
              onInput={(event) => set(index, { ...rule, channel: event.currentTarget.value })}
            />
          </Field>
          <Button
            small
            aria-label={words.alerts.removeRule(index + 1)}
            onClick={() => onChange(rules.filter((_, at) => at !== index))}
          >
            {words.remove}
          </Button>
        </fieldset>
      ))}
      <div>
        <Button small onClick={add}>
          {words.alerts.addRule}
        </Button>
      </div>
    </div>
  );
}

function AfterField({ rule, onChange }: { rule: AlertRule; onChange: (rule: AlertRule) => void }) {
  const words = useWords();
  const { afterMs, ...rest } = rule;
  return (
    <Field label={words.alerts.after}>
      <input
        class="input"
        type="number"
        min={0}
        step="any"
        value={afterMs === undefined ? '' : String(afterMs / 1_000)}
        onInput={({ currentTarget: { value } }) =>
          onChange(value === '' ? rest : { ...rest, afterMs: Math.round(Number(value) * 1_000) })
        }
      />
    </Field>
  );
}
