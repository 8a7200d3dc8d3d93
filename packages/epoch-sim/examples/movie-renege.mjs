/**
 * SimPy's movie theatre: one counter sells 50 tickets for each of three movies. Who waits for a movie that is sold out leaves, and so
 * does who wants more tickets than are left.
 */
const movies = ['Python Unchained', 'Kill Process', 'Pulp Implementation'];
const most = 6;

const orders = movies.flatMap((movie) => Array.from({ length: most }, (_, i) => ({ movie, tickets: i + 1 })));
const verbOf = ({ movie, tickets }) => `${tickets} for ${movie}`;

export const scenario = {
  title: 'Movie renege',
  epoch: { index: 0, start_at: '2025-07-01T00:00:00', end_at: 240 },
  resources: Object.fromEntries(movies.map((movie) => [movie, 50])),
  action_defs: Object.fromEntries(
    orders.map((order) => [
      verbOf(order),
      {
        base_duration_min: 1,
        locks: ['counter'],
        on_shortage: 'wait',
        resources: [{ name: order.movie, amount: order.tickets }],
      },
    ]),
  ),
  arrivals: orders.map((order) => ({
    verb: verbOf(order),
    every: { kind: 'exponential', mean: 9 },
    id: `${verbOf(order)} #{n}`,
    to: 120,
    // Who comes when everything is sold sees it after a while.
    patience_min: 60,
  })),
  actions_submitted: [],
};

/** After a sale, and when somebody joins the line too late. */
function leave(_told, { waiting, resources }) {
  return waiting.flatMap((id) => {
    const { movie, tickets } = orders.find((order) => id.startsWith(`${verbOf(order)} #`));
    const left = resources[movie].stock - resources[movie].reserved;
    if (left >= tickets && left >= 2) return [];
    return [{ type: 'cancel', target: id, reason: left < 2 ? 'sold out' : 'too few left' }];
  });
}

export const hooks = { onEnd: leave, onCancel: leave, onStart: leave };
