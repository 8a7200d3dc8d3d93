import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Console } from '@horae/console';
import type { TimeRing } from '@horae/time-ring';
import type { DaemonLog } from '../daemon/daemon-log.js';

/** The console at the port of a node. */
export interface ConsoleDoor {
  /** Answers requests to the console; false leaves a request to the node. */
  answer(request: IncomingMessage, response: ServerResponse): Promise<boolean>;
  open(ring: TimeRing, log: DaemonLog): Promise<void>;
  close(): Promise<void>;
}

/**
 * Shows the console at `/`. The node's own admin API answers requests with the admin token, and all requests until the first user is made;
 * from then on other requests need a session or a token of the console, so that the executors' token opens nothing but their own side.
 */
export function createConsoleDoor(adminToken: string | undefined): ConsoleDoor {
  let panel: Console | undefined;
  return {
    async answer(request, response) {
      if (panel === undefined) return false;
      const [path = ''] = (request.url ?? '').split('?');
      const isPage = path === '/' || path.startsWith('/assets/') || path.startsWith('/console/');
      if (!isPage && !(await isForConsole(request, path, panel, adminToken))) return false;
      panel.node(request, response);
      return true;
    },
    async open(ring, log) {
      const { createConsole } = await import('@horae/console');
      panel = createConsole({ ring, log });
    },
    async close() {
      panel?.close();
      panel = undefined;
    },
  };
}

async function isForConsole(
  { headers }: IncomingMessage,
  path: string,
  panel: Console,
  adminToken: string | undefined,
): Promise<boolean> {
  if (path !== '/admin' && !path.startsWith('/admin/')) return false;
  // Load balancers request these without a token.
  if (path === '/admin/health' || path === '/admin/ready') return headers.cookie?.includes('horae_session=') ?? false;
  if (adminToken !== undefined && headers.authorization === `Bearer ${adminToken}`) return false;
  return panel.hasUsers();
}
