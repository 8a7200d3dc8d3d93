import { Field } from '@horae-tooling/design/parts';
import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';

/** The attributes with which a screen reader announces the fault of a control. */
export interface ControlMarks {
  readonly 'aria-invalid'?: 'true';
  readonly 'aria-describedby'?: string;
}

/** A labelled control with its fault below. */
export function CheckedField(props: {
  label: string;
  problem: string | null;
  class?: string;
  children: (marks: ControlMarks) => ComponentChildren;
}) {
  const id = useId();
  const marks: ControlMarks = props.problem === null ? {} : { 'aria-invalid': 'true', 'aria-describedby': id };
  return (
    <div class={`checked-field ${props.class ?? ''}`}>
      <Field label={props.label}>{props.children(marks)}</Field>
      {props.problem === null ? null : (
        <p id={id} class="field-problem">
          {props.problem}
        </p>
      )}
    </div>
  );
}
