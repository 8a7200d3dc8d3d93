import type { ComponentType } from 'preact';
import { CronPage } from '../pages/cron/cron-page.jsx';
import { OverviewPage } from '../pages/overview/overview-page.jsx';
import { RewritesPage } from '../pages/rewrites/rewrites-page.jsx';
import { RingPage } from '../pages/ring/ring-page.jsx';
import { ShiftsPage } from '../pages/shifts/shifts-page.jsx';
import { SimPage } from '../pages/sim/sim-page.jsx';
import { TasksPage } from '../pages/tasks/tasks-page.jsx';

export interface PageEntry {
  readonly path: string;
  readonly title: string;
  readonly about: string;
  readonly hue: string;
  readonly Page: ComponentType;
}

/** Every page, in the order of the navigation. */
export const pages: readonly PageEntry[] = [
  {
    path: '',
    title: 'Overview',
    about: 'Six schedulers in one process, and what they did in the last minute.',
    hue: '',
    Page: OverviewPage,
  },
  {
    path: 'cron',
    title: 'Cron lab',
    about: 'Type an expression and see what it means, when it runs, and what the two odd days of the year do to it.',
    hue: 'cron',
    Page: CronPage,
  },
  {
    path: 'tasks',
    title: 'Tasks',
    about:
      'Durable cron inside the process. Make a task fail, change the list, pull the plug: nothing is lost and nothing runs twice.',
    hue: 'tasks',
    Page: TasksPage,
  },
  {
    path: 'ring',
    title: 'Time ring',
    about:
      'Jobs to the second, shared by several processes. Add one, trigger it, kill it; kill a whole node and see its work go on.',
    hue: 'ring',
    Page: RingPage,
  },
  {
    path: 'sim',
    title: 'Simulation',
    about:
      'A day of actions that need locks and resources, without ticks. Edit it, stop somebody, branch, and compare.',
    hue: 'sim',
    Page: SimPage,
  },
  {
    path: 'rewrites',
    title: 'Rewrites',
    about:
      'Which changes may happen together? Draw what each one reads and writes; the first come are admitted, the same way everywhere.',
    hue: 'rewrites',
    Page: RewritesPage,
  },
  {
    path: 'shifts',
    title: 'Shifts',
    about:
      'Operators of a chain take turns down the list of their keys. Submit a transaction yourself and read why it is refused.',
    hue: 'shifts',
    Page: ShiftsPage,
  },
];
