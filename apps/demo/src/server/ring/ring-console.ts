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
 * A caller that has passed the demo's own guard is admitted under one name, without a password: on loopback that is every user of the
 * machine, elsewhere every holder of the token. A visitor may do what the demo's page can do anyway, and no more: there are no users and
 * tokens to manage.
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
      // The demo's token is not a token of the console.
      headers.delete('authorization');
      return panel!.fetch(new Request(request, { headers }));
    },
    close: () => panel?.close(),
  };
}
