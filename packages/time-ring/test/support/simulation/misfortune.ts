import { oneOf } from './history-plan.js';
import type { Running } from './run-history.js';
import type { SimulatedNode } from './simulated-node.js';

/** Lets something happen to the machines, as far as the weather allows. */
export function misfortune(running: Running): void {
  const { random, plan, base } = running;
  if (plan.weather === 'calm') {
    if (random.below(6) === 0) join(running);
    return;
  }
  const living = running.living();
  const what = random.below(12);
  if (what <= 2) join(running);
  else if (what <= 4 && living.length > 0) crash(running, oneOf(random, living));
  if (plan.weather !== 'storm' || living.length === 0) return;
  const node = oneOf(random, living);
  if (what === 5) leave(running, node, random.below(3_000));
  else if (what <= 7) stall(running, node, 500 + random.below(9_000));
  else if (what === 8) changeExecutors(running, node);
  else if (what === 9 && plan.hasClockSteps) {
    const byMs = random.below(30_000) - 12_000;
    running.note({ kind: 'step', owner: '' });
    running.setBackMs += Math.max(0, -byMs);
    void base.jumpTo(base.now() + byMs);
  }
}

function join(running: Running): void {
  void running.join().catch(() => {});
}

function crash(running: Running, { owner, machine }: SimulatedNode): void {
  // Where nothing but crashes happens, what is promised of the survivors needs one.
  if (running.plan.weather === 'crashes' && running.living().length < 2) return;
  running.note({ kind: 'crash', owner });
  machine.crash();
}

/** A clean stop; the machine is gone after it. */
function leave(running: Running, { owner, machine, engine }: SimulatedNode, deadlineMs: number): void {
  running.note({ kind: 'leave', owner });
  void engine.stop({ deadlineMs, abandon: 'hand-back' }).then(() => machine.crash());
}

function stall(running: Running, { owner, machine }: SimulatedNode, ms: number): void {
  running.note({ kind: 'stall', owner });
  machine.stall(ms);
}

function changeExecutors({ random }: Running, node: SimulatedNode): void {
  if (node.executors.length < 2 && random.below(3) > 0) node.addExecutor();
  else if (node.executors.length > 1)
    void node.executors
      .pop()!
      .stop()
      .catch(() => {});
}
