import { useEffect, useState } from 'preact/hooks';

interface Toast {
  readonly id: number;
  readonly text: string;
  readonly tone: 'plain' | 'bad';
}

let toasts: readonly Toast[] = [];
let nextId = 1;
let draw: () => void = () => {};

const STAYS_MS = 5_000;

/** Shows a message for a few seconds, and announces it to screen readers. */
export function say(text: string, tone: Toast['tone'] = 'plain'): void {
  const toast = { id: nextId++, text, tone };
  toasts = [...toasts.slice(-2), toast];
  draw();
  setTimeout(() => {
    toasts = toasts.filter(({ id }) => id !== toast.id);
    draw();
  }, STAYS_MS);
}

/** Runs an action that may be refused, and shows the refusal. */
export async function attempt(work: () => Promise<unknown>, done?: string): Promise<boolean> {
  try {
    await work();
    if (done !== undefined) say(done);
    return true;
  } catch (error) {
    say(error instanceof Error ? error.message : String(error), 'bad');
    return false;
  }
}

export function Toasts() {
  const [, render] = useState(0);
  useEffect(() => {
    draw = () => render((n) => n + 1);
  }, []);
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.map(({ id, text, tone }) => (
        <div key={id} class={`toast toast-${tone}`}>
          {text}
        </div>
      ))}
    </div>
  );
}
