import type { AlertRule, Group, Job } from '@horae/time-ring';
import { Button, Empty, Field, Panel } from '@horae-tooling/design/parts';
import { say } from '@horae-tooling/design/toasts';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Choice, ProblemText, TableArea, TableHead } from '../parts/common.jsx';
import { RuleEditor } from '../parts/rule-editor.jsx';
import { durationText } from '../parts/when.jsx';
import { addressOf } from '../talk/address.js';
import { change } from '../talk/api.js';
import { useLive } from '../talk/live.js';
import { useMay } from '../talk/rights.js';
import { problemOf, useAsk } from '../talk/use-ask.js';
import { usePages } from '../talk/use-pages.js';
import { useWords } from '../words/language.js';

interface Owned {
  readonly key: string;
  readonly owner: ComponentChildren;
  readonly rule: AlertRule;
}

/** The rules of the ring, of groups and of jobs, those of groups to be changed here. */
export function AlertRules(props: { ringRules: readonly AlertRule[]; channels: readonly string[] }) {
  const words = useWords();
  const may = useMay();
  const groups = useAsk<{ groups: readonly Group[] }>('admin/groups');
  const jobs = usePages<Job>('admin/jobs', 'jobs', { hasAlerts: true, limit: 50 });
  useLive('job-', jobs.again);
  const known = groups.data?.groups ?? [];
  const rules: Owned[] = [
    ...owned('ring', words.alerts.ring, props.ringRules),
    ...known.flatMap(({ name, alerts }) => owned(`group ${name}`, words.alerts.ofGroup(name), alerts)),
    ...(jobs.items ?? []).flatMap((job) =>
      owned(`job ${job.id}`, <a href={addressOf(`jobs/${job.id}`)}>{words.alerts.ofJob(job.name)}</a>, job.alerts),
    ),
  ];
  return (
    <Panel title={words.alerts.rules} note={words.alerts.rulesNote}>
      <ProblemText text={groups.problem ?? jobs.problem} />
      {rules.length === 0 ? <Empty>{words.alerts.noRules}</Empty> : <RuleTable rules={rules} />}
      {jobs.more === null ? null : <Button onClick={jobs.more}>{words.more}</Button>}
      {may('editor') && known.length > 0 ? (
        <GroupRules groups={known} channels={props.channels} again={groups.again} />
      ) : null}
    </Panel>
  );
}

function owned(key: string, owner: ComponentChildren, rules: readonly AlertRule[]): Owned[] {
  return rules.map((rule, index) => ({ key: `${key} ${index}`, owner, rule }));
}

function RuleTable({ rules }: { rules: readonly Owned[] }) {
  const words = useWords();
  return (
    <TableArea label={words.alerts.rules}>
      <TableHead
        texts={[words.alerts.of, words.alerts.cause, words.alerts.after.split(' ')[0]!, words.alerts.channel]}
      />
      <tbody>
        {rules.map(({ key, owner, rule }) => (
          <tr key={key} data-rule={key}>
            <td>{owner}</td>
            <td>{words.alerts.causes[rule.on] ?? rule.on}</td>
            <td class="number">{rule.afterMs === undefined ? '–' : durationText(rule.afterMs)}</td>
            <td>{rule.channel}</td>
          </tr>
        ))}
      </tbody>
    </TableArea>
  );
}

function GroupRules(props: { groups: readonly Group[]; channels: readonly string[]; again: () => void }) {
  const words = useWords();
  const [name, setName] = useState(props.groups[0]!.name);
  const group = props.groups.find((one) => one.name === name) ?? props.groups[0]!;
  return (
    <details>
      <summary>{words.alerts.groupRules}</summary>
      <div class="stack-tight">
        <Field label={words.alerts.group}>
          <Choice value={group.name} options={props.groups.map((one) => [one.name, one.name])} onChange={setName} />
        </Field>
        <GroupRuleForm key={group.name} group={group} channels={props.channels} again={props.again} />
      </div>
    </details>
  );
}

function GroupRuleForm({ group, channels, again }: { group: Group; channels: readonly string[]; again: () => void }) {
  const words = useWords();
  const [rules, setRules] = useState(group.alerts);
  const [problem, setProblem] = useState<string | null>(null);
  const save = async () => {
    try {
      await change('PUT', `admin/groups/${encodeURIComponent(group.name)}/alerts`, { alerts: rules });
      say(words.alerts.saved(group.name));
      setProblem(null);
      again();
    } catch (error) {
      setProblem(problemOf(error));
    }
  };
  return (
    <>
      <RuleEditor rules={rules} channels={channels} onChange={setRules} />
      <ProblemText text={problem} />
      <div>
        <Button kind="primary" onClick={save}>
          {words.save}
        </Button>
      </div>
    </>
  );
}
