import type { EngineName } from '../../../wire/overview.js';

/** The name of each engine and a line about it. */
export const engineWords: Readonly<Record<EngineName, { title: string; about: string }>> = {
  cron: { title: 'Cron lab', about: 'Expressions as values' },
  tasks: { title: 'Tasks', about: 'Durable cron in process' },
  ring: { title: 'Time ring', about: 'Jobs to the second' },
  sim: { title: 'Simulation', about: 'A minute every second' },
  rewrites: { title: 'Rewrites', about: 'Who may change what' },
  shifts: { title: 'Shifts', about: 'Operators take turns' },
};
