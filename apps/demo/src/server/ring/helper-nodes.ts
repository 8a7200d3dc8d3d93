import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { RingNodeView } from '../../wire/ring.js';

/** Further nodes of the ring as processes of their own, so that one can really be killed. */
export interface HelperNodes {
  list(): RingNodeView[];
  add(): void;
  /** `kill` ends it without a shutdown. */
  end(name: string, how: 'stop' | 'kill'): void;
  stop(): Promise<void>;
}

const MOST = 2;
const program = fileURLToPath(new URL('./ring-helper.js', import.meta.url));

export function createHelperNodes(databaseUrl: string, onChange: (text: string) => void): HelperNodes {
  const helpers = new Map<string, { child: ChildProcess; status: string; ended: Promise<void> }>();
  let number = 1;

  return {
    list: () =>
      [...helpers].map(([name, { child, status }]) => ({ name, pid: child.pid ?? 0, kind: 'helper' as const, status })),
    add() {
      if (helpers.size >= MOST) return;
      number += 1;
      const name = `node-${number}`;
      const child = fork(program, [databaseUrl, name], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
      const ended = new Promise<void>((resolve) => {
        child.once('exit', (code, signal) => {
          helpers.delete(name);
          onChange(`${name} is gone (${signal ?? `code ${code}`})`);
          resolve();
        });
        child.once('error', () => resolve());
      });
      const helper = { child, status: 'starting', ended };
      helpers.set(name, helper);
      child.on('message', () => {
        helper.status = 'ok';
        onChange(`${name} joins as process ${child.pid}`);
      });
      onChange(`${name} is being started`);
    },
    end(name, how) {
      const helper = helpers.get(name);
      if (helper === undefined) return;
      helper.status = 'ending';
      helper.child.kill(how === 'kill' ? 'SIGKILL' : 'SIGTERM');
    },
    async stop() {
      const all = [...helpers.values()];
      for (const { child } of all) child.kill('SIGTERM');
      await Promise.all(all.map(({ ended }) => ended));
    },
  };
}
