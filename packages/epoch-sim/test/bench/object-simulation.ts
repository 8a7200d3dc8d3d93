import type { EpochInput, ScheduleEvent } from '@horae/epoch-sim';
import FlatQueue from 'flatqueue';
import TinyQueue from 'tinyqueue';

interface Pending {
  t: number;
  phase: number;
  seq: number;
  action: EpochInput['actions_submitted'][number];
}

interface Queue {
  push(pending: Pending): void;
  pop(): Pending | undefined;
}

const before = (a: Pending, b: Pending): number => a.t - b.t || a.phase - b.phase || a.seq - b.seq;

export const queues = {
  tinyqueue: (): Queue => new TinyQueue<Pending>([], before),
  flatqueue: (): Queue => {
    const queue = new FlatQueue<Pending>();
    return {
      push: (pending) => queue.push(pending, (pending.t * 2 + pending.phase) * 2 ** 24 + pending.seq),
      pop: () => queue.pop(),
    };
  },
  'sorted array': (): Queue => {
    const list: Pending[] = [];
    return {
      push(pending) {
        let low = 0;
        for (let high = list.length; low < high; ) {
          const middle = (low + high) >>> 1;
          if (before(list[middle]!, pending) > 0) low = middle + 1;
          else high = middle;
        }
        list.splice(low, 0, pending);
      },
      pop: () => list.pop(),
    };
  },
};

/** What a good developer writes in an afternoon: event objects in a priority queue, locks in a map. No interrupts, no epochs. */
export function simulateObjects(input: EpochInput, createQueue: () => Queue): ScheduleEvent[] {
  const origin = Date.parse(input.epoch.start_at);
  const minutes = (Date.parse(String(input.epoch.end_at)) - origin) / 60_000;
  const queue = createQueue();
  const locks = new Map<string, { held: boolean; waiting: { action: Pending['action']; asked: number }[] }>();
  const events: ScheduleEvent[] = [];
  let seq = 0;
  const at = (t: number): string => new Date(origin + t * 60_000).toISOString();
  const lockOf = (name: string) => {
    let lock = locks.get(name);
    if (lock === undefined) {
      lock = { held: false, waiting: [] };
      locks.set(name, lock);
    }
    return lock;
  };
  const tryStart = (request: { action: Pending['action']; asked: number }, t: number): void => {
    const def = input.action_defs[request.action.verb]!;
    const wanted = (def.locks as string[]).map(lockOf);
    if (wanted.some((lock) => lock.held || lock.waiting[0] !== request)) return;
    for (const lock of wanted) {
      lock.held = true;
      lock.waiting.shift();
    }
    const d_eff = def.base_duration_min as number;
    const meta = { d_eff, attempt: 1, waited_min: t - request.asked };
    events.push({ type: 'start', action_id: request.action.id, t, at: at(t), meta });
    queue.push({ t: t + d_eff, phase: 0, seq: seq++, action: request.action });
  };
  for (const action of input.actions_submitted) {
    const t = (Date.parse(String(action.submitted_at)) - origin) / 60_000;
    queue.push({ t, phase: 1, seq: seq++, action });
  }
  for (let pending = queue.pop(); pending !== undefined && pending.t <= minutes; pending = queue.pop()) {
    const { t, phase, action } = pending;
    const names = input.action_defs[action.verb]!.locks as string[];
    if (phase === 0) {
      events.push({ type: 'end', action_id: action.id, t, at: at(t), meta: {} });
      for (const name of names) lockOf(name).held = false;
      for (const name of names) {
        const [first] = lockOf(name).waiting;
        if (first !== undefined) tryStart(first, t);
      }
    } else {
      const request = { action, asked: t };
      for (const name of names) lockOf(name).waiting.push(request);
      tryStart(request, t);
    }
  }
  return events;
}
