import type { ButtonHTMLAttributes, ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

/** A part of a page with its heading. */
export function Panel(props: {
  title: string;
  note?: ComponentChildren;
  actions?: ComponentChildren;
  class?: string;
  children: ComponentChildren;
}) {
  return (
    <section class={`panel ${props.class ?? ''}`} aria-label={props.title}>
      <div class="panel-head">
        <h2>{props.title}</h2>
        {props.note === undefined ? null : <span class="soft small">{props.note}</span>}
        <span class="spring" />
        {props.actions}
      </div>
      <div class="panel-body">{props.children}</div>
    </section>
  );
}

type ButtonProps = Omit<ButtonHTMLAttributes<HTMLButtonElement>, 'onClick' | 'kind' | 'size'> & {
  kind?: 'plain' | 'primary' | 'danger';
  small?: boolean;
  onClick?: () => unknown;
};

/** Does not take a second click while the first is under way. */
export function Button({ kind = 'plain', small = false, onClick, disabled, class: extra, ...rest }: ButtonProps) {
  const [isBusy, setBusy] = useState(false);
  const click = async () => {
    setBusy(true);
    try {
      await onClick?.();
    } finally {
      setBusy(false);
    }
  };
  const classes = `button ${kind === 'plain' ? '' : `button-${kind}`} ${small ? 'button-small' : ''} ${extra ?? ''}`;
  return <button type="button" {...rest} class={classes} disabled={isBusy || disabled === true} onClick={click} />;
}

export type Tone = 'plain' | 'good' | 'bad' | 'warn' | 'accent';

export function Badge(props: { tone?: Tone; alive?: boolean; children: ComponentChildren }) {
  return (
    <span class={`badge badge-${props.tone ?? 'plain'} ${props.alive === true ? 'pulse' : ''}`}>{props.children}</span>
  );
}

/** A labelled control. */
export function Field(props: { label: string; class?: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noLabelWithoutControl: the control is the child.
    <label class={`field ${props.class ?? ''}`}>
      <span>{props.label}</span>
      {props.children}
    </label>
  );
}

export function Empty(props: { children: ComponentChildren }) {
  return <p class="empty">{props.children}</p>;
}

/** A placeholder while content loads. */
export function Loading(props: { what: string }) {
  return (
    <div class="skeleton" role="status">
      <span class="sr-only">Loading {props.what}…</span>
    </div>
  );
}

export function Message(props: { tone?: Tone; children: ComponentChildren }) {
  return <div class={`message message-${props.tone ?? 'plain'}`}>{props.children}</div>;
}

/** Something that may be wider or higher than its place; reachable by keyboard, so that it can be scrolled. */
export function ScrollArea(props: { label: string; class?: string; children: ComponentChildren }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: without it a keyboard could not scroll.
    <section class={`scroll-x ${props.class ?? ''}`} tabIndex={0} aria-label={props.label}>
      {props.children}
    </section>
  );
}
