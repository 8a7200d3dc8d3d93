/** What a newcomer tries first, in this order: printed by the server and shown on the overview. */
export const firstClicks: readonly { readonly page: string; readonly title: string; readonly what: string }[] = [
  { page: 'ring', title: 'Time ring', what: 'press Trigger beside a job, then Log beside its run.' },
  { page: 'ring', title: 'Time ring', what: 'press Add a node, then Kill beside it: its runs go on elsewhere.' },
  { page: 'tasks', title: 'Tasks', what: 'let a task fail, press Why?, then Pull the plug.' },
  { page: 'cron', title: 'Cron lab', what: 'type an expression and read what it means.' },
];
