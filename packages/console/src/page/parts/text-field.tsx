import { Field } from '@horae-tooling/design/parts';
import type { InputHTMLAttributes, TextareaHTMLAttributes } from 'preact';

interface Labelled {
  label: string;
  /** The class of the field, not of the control. */
  class?: string;
  isMono?: boolean;
  onText: (text: string) => void;
}

type Without<Attributes> = Omit<Attributes, 'class' | 'label' | 'onInput'>;
const classOf = (isMono: boolean | undefined) => (isMono === true ? 'input input-mono' : 'input');

/** A line of text with its label. */
export function TextField({
  label,
  class: own,
  isMono,
  onText,
  ...rest
}: Labelled & Without<InputHTMLAttributes<HTMLInputElement>>) {
  // Each type of input has attributes of its own; what is given here fits the type that is given.
  const attributes = rest as { type: 'text' };
  return (
    <Field label={label} {...(own === undefined ? {} : { class: own })}>
      <input class={classOf(isMono)} {...attributes} onInput={(event) => onText(event.currentTarget.value)} />
    </Field>
  );
}

/** Lines of text with their label. */
export function TextArea({
  label,
  class: own,
  isMono,
  onText,
  ...rest
}: Labelled & Without<TextareaHTMLAttributes<HTMLTextAreaElement>>) {
  return (
    <Field label={label} {...(own === undefined ? {} : { class: own })}>
      <textarea class={classOf(isMono)} {...rest} onInput={(event) => onText(event.currentTarget.value)} />
    </Field>
  );
}
