import { type Console, createConsole } from 'horae/console';
import type { TimeRing } from 'horae/ring';

/** The console of the demo's ring, mounted beside the page. */
export interface RingConsole {
  /** From now on it shows this ring: a node that has rested is a new one. */
  show(ring: TimeRing): void;
  fetch(request: Request): Promise<Response>;
  close(): void;
}

export const CONSOLE_PATH = '/console';
const VISITOR = 'x-horae-demo-visitor';

/**
 * Whoever has come past the demo's own guard is let in under one name, without a password: on loopback that is whoever sits at the machine,
 * elsewhere whoever has the token. A visitor may what the demo's page can do anyway, and no more: there are no users and tokens to manage.
 */
export function createRingConsole(): RingConsole {
  let panel: Console | null = null;
  return {
    show(ring) {
      panel?.close();
      panel = createConsole({
        ...{ ring, basePath: CONSOLE_PATH, title: 'Horae demo' },
        auth: { kind: 'header', header: VISITOR, proxies: 'any', role: 'editor' },
      });
    },
    fetch(request) {
      const headers = new Headers(request.headers);
      headers.set(VISITOR, 'visitor');
      // The demo's token is no token of the console.
      headers.delete('authorization');
      return panel!.fetch(new Request(request, { headers }));
    },
    close: () => panel?.close(),
  };
}
