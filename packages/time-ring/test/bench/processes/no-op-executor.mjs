// An executor whose handler does nothing, in a process of its own.
import { createExecutor } from '@horae/time-ring';

const executor = await createExecutor({ ring: process.argv[2], group: process.argv[3], handlers: { work: () => {} } });
process.on('disconnect', () => process.exit());
process.send(executor.address);
