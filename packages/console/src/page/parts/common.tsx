import { Badge, Button, Message, ScrollArea, type Tone } from '@horae-tooling/design/parts';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { useWords } from '../words/language.js';

/** A placeholder while content loads. */
export function Loading() {
  return (
    <div class="skeleton" role="status">
      <span class="sr-only">{useWords().loading}</span>
    </div>
  );
}

export function ProblemText({ text }: { text: string | null }) {
  if (text === null) return null;
  return (
    <div role="alert">
      <Message tone="bad">{text}</Message>
    </div>
  );
}

const tones: Readonly<Record<string, Tone>> = {
  ...{ succeeded: 'good', failed: 'bad', killed: 'warn', running: 'accent', queued: 'accent' },
};

export function StateBadge({ state }: { state: string }) {
  const words = useWords();
  return (
    <Badge tone={tones[state] ?? 'plain'} alive={state === 'running'}>
      {words.runs.states[state] ?? state}
    </Badge>
  );
}

/** A button that asks for confirmation before an action that cannot be undone. */
export function SureButton(props: { label: string; describe?: string; onSure: () => unknown }) {
  const words = useWords();
  const [isAsking, setAsking] = useState(false);
  if (!isAsking)
    return (
      <Button small kind="danger" aria-label={props.describe} onClick={() => setAsking(true)}>
        {props.label}
      </Button>
    );
  return (
    <span class="row">
      <Button
        small
        kind="danger"
        onClick={async () => {
          await props.onSure();
          setAsking(false);
        }}
      >
        {words.sure}
      </Button>
      <Button small onClick={() => setAsking(false)}>
        {words.no}
      </Button>
    </span>
  );
}

/** Names and their values, one pair under the other. */
export function Facts({ facts }: { facts: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A table that may be wider than its place. */
export function TableArea({ label, children }: { label: string; children: ComponentChildren }) {
  return (
    <ScrollArea label={useWords().tableOf(label)}>
      <table class="table">{children}</table>
    </ScrollArea>
  );
}

/** The names of a table's columns, and room for one with buttons, which needs none. */
export function TableHead({ texts, hasActions = false }: { texts: readonly string[]; hasActions?: boolean }) {
  return (
    <thead>
      <tr>
        {texts.map((text) => (
          <th key={text} scope="col">
            {text}
          </th>
        ))}
        {hasActions ? <td /> : null}
      </tr>
    </thead>
  );
}

/** A value as JSON; scrolled by keyboard too where it is long. */
export function JsonText({ value, label }: { value: unknown; label: string }) {
  return <PlainText text={JSON.stringify(value, null, 2)} label={label} />;
}

/** A long text as it is. */
export function PlainText({ text, label }: { text: string; label: string }) {
  return (
    <ScrollArea label={useWords().textOf(label)} class="json">
      <pre class="mono">{text}</pre>
    </ScrollArea>
  );
}

/** A choice among texts. */
export function Choice<T extends string>(props: {
  value: T;
  options: readonly (readonly [T, string])[];
  onChange: (value: T) => void;
  label?: string;
}) {
  return (
    <select
      class="input"
      value={props.value}
      aria-label={props.label}
      onChange={(event) => props.onChange(event.currentTarget.value as T)}
    >
      {props.options.map(([value, text]) => (
        <option key={value} value={value}>
          {text}
        </option>
      ))}
    </select>
  );
}
