import { createExecutor } from '@horae/time-ring';

const name = process.env.EXECUTOR ?? 'executor';
/** An executor knows every node, so that a result has somewhere to go when one is gone. */
const executor = await createExecutor({
  ring: (process.env.NODES ?? '').split(','),
  group: 'reports',
  accessToken: process.env.HORAE_TOKEN ?? '',
  handlers: {
    // Each executor gets its share of the customers.
    report: ({ params, shardIndex, shardTotal, log }) => {
      const customers = Array.from({ length: (params as { customers: number }).customers }, (_, i) => i);
      const mine = customers.filter((customer) => customer % shardTotal === shardIndex);
      log(`${name} reports ${mine.length} customers`);
      return `${name}: ${mine.join(' ')}`;
    },
  },
});
process.send?.({ address: executor.address });
process.once('SIGTERM', () => void executor.stop());
