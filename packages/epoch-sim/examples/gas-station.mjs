/**
 * SimPy's gas station, one minute for one second: two pumps share a tank of 200 litres. When less than a quarter is left, a truck
 * is called, which takes 300 seconds to come and fills the tank. Cars wait for a pump and for fuel in one line.
 */
const sizes = [25, 35, 45];

export const scenario = {
  title: 'Gas station',
  epoch: { index: 0, start_at: '2025-07-01T00:00:00', end_at: 5000 },
  lock_defs: { pump: { capacity: 2 } },
  resources: { fuel: { stock: 200, max: 200 } },
  action_defs: {
    deliver: { base_duration_min: 300, resources: [{ name: 'fuel', amount: 200, mode: 'produce' }] },
    ...Object.fromEntries(
      sizes.map((litres) => [
        `refuel ${litres}`,
        {
          base_duration_min: Math.ceil(litres / 2),
          locks: ['pump'],
          on_shortage: 'wait',
          resources: [{ name: 'fuel', amount: litres }],
        },
      ]),
    ),
  },
  arrivals: sizes.map((litres) => ({
    verb: `refuel ${litres}`,
    every: { kind: 'uniform', min: 90, max: 900 },
    id: `car ${litres}.{n}`,
  })),
  actions_submitted: [],
};

/** Calls the truck when the tank runs low and no truck is on its way. */
function callTruck({ t }, { resources: { fuel }, running }) {
  const isComing = running.some((id) => id.startsWith('truck'));
  if (isComing || fuel.stock - fuel.reserved >= 50) return undefined;
  return [{ type: 'submit', action: { id: `truck ${t}`, actor: 'truck', verb: 'deliver' } }];
}

export const hooks = { onStart: callTruck };
