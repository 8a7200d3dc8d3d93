import type { SimPreset } from '../../wire/sim.js';

const ferry = `title: Ferry day
about: One pier, one ramp, one tug. A storm stops the ramp at 09:05; the lifeboat takes the tug from whoever has it.
epoch: { index: 0, start_at: 2025-07-01T08:00:00, end_at: 2025-07-01T13:00:00 }
pc: Mara
allies: [Jonas]
action_defs:
  dock: { base_duration_min: 25, interruptible: true, locks: [tug, pier] }
  unload: { base_duration_min: 50, interruptible: true, locks: [ramp], resources: [{ name: pallets, amount: 15 }] }
  refuel: { base_duration_min: 20, effort: low, locks: [hose] }
  radio: { base_duration_min: 5, effort: low, locks: [radio], may_trigger_event: true, scope: public }
  rescue: { base_duration_min: 35, effort: high, locks: [tug], priority: 10, preempts: true, may_trigger_event: true }
skills:
  Mara: { unload: 2 }
  Jonas: { dock: 3 }
resources: { pallets: 50 }
modifiers:
  - { factor: 1.25, verb: dock, from: 540, to: 660 }
actions_submitted:
  - { id: dock Aurora, actor: Jonas, verb: dock, submitted_at: 2025-07-01T08:00:00 }
  - { id: dock Borealis, actor: Jonas, verb: dock, submitted_at: 2025-07-01T08:05:00 }
  - { id: refuel Aurora, actor: Piet, verb: refuel, submitted_at: 2025-07-01T08:20:00 }
  - { id: unload Aurora, actor: Mara, verb: unload, submitted_at: 2025-07-01T08:30:00 }
  - { id: dock Castor, actor: Piet, verb: dock, submitted_at: 2025-07-01T08:50:00 }
  - { id: unload Borealis, actor: Mara, verb: unload, submitted_at: 2025-07-01T08:55:00 }
  - { id: storm report, actor: Jonas, verb: radio, submitted_at: 2025-07-01T09:00:00 }
  - { id: lifeboat call, actor: Piet, verb: rescue, submitted_at: 2025-07-01T09:10:00 }
  - { id: unload Castor, actor: Mara, verb: unload, submitted_at: 2025-07-01T10:00:00 }
interrupts:
  - { at: 2025-07-01T09:05:00, target: "lock:ramp", priority: 5, resume_after_min: 30, reason: storm }
`;

const bakery = `title: Bakery before dawn
about: Two bakers, one oven, one mixer. Nobody does two things at once, and the oven is slow until it is hot.
epoch: { index: 0, start_at: 2025-03-03T03:00:00, end_at: 2025-03-03T07:00:00 }
options: { actor_exclusive: true }
pc: Ada
action_defs:
  mix: { base_duration_min: 20, locks: [mixer], resources: [{ name: flour, amount: 10 }] }
  bake: { base_duration_min: 40, interruptible: true, locks: [oven] }
  glaze: { base_duration_min: 12, effort: low, interruptible: true }
  open: { base_duration_min: 5, effort: low, may_trigger_event: true, scope: public }
resources: { flour: 35 }
modifiers:
  - { factor: 1.5, verb: bake, from: 180, to: 240 }
actions_submitted:
  - { id: rye dough, actor: Ada, verb: mix, submitted_at: 2025-03-03T03:00:00 }
  - { id: bun dough, actor: Leo, verb: mix, submitted_at: 2025-03-03T03:00:00 }
  - { id: rye, actor: Ada, verb: bake, submitted_at: 2025-03-03T03:20:00 }
  - { id: buns, actor: Leo, verb: bake, submitted_at: 2025-03-03T03:30:00 }
  - { id: cake dough, actor: Ada, verb: mix, submitted_at: 2025-03-03T04:10:00 }
  - { id: glaze buns, actor: Leo, verb: glaze, submitted_at: 2025-03-03T05:00:00 }
  - { id: cake, actor: Ada, verb: bake, submitted_at: 2025-03-03T05:00:00 }
  - { id: late dough, actor: Leo, verb: mix, submitted_at: 2025-03-03T05:30:00 }
  - { id: open shop, actor: Ada, verb: open, submitted_at: 2025-03-03T06:30:00 }
`;

const counter = `title: Bank counter
about: Two clerks, customers at random, and nobody waits for more than twelve minutes. Run it a hundred times.
epoch: { index: 0, start_at: 2025-05-05T09:00:00, end_at: 180 }
lock_defs: { clerk: { capacity: 2 } }
action_defs:
  visit: { base_duration_min: { kind: exponential, mean: 11 }, locks: [clerk], patience_min: 12 }
  count cash: { base_duration_min: 20, locks: [clerk, safe] }
arrivals:
  - { verb: visit, every: { kind: exponential, mean: 6 }, id: "customer {n}" }
actions_submitted:
  - { id: morning count, actor: Ida, verb: count cash, submitted_at: 30 }
`;

/** Scenarios to begin with. */
export const presets: readonly SimPreset[] = [
  { name: 'Ferry day', text: ferry },
  { name: 'Bakery before dawn', text: bakery },
  { name: 'Bank counter', text: counter },
];
