import type { FunctionComponent } from 'preact';
import { AboutPage } from '../pages/about-page.jsx';
import { AlertsPage } from '../pages/alerts-page.jsx';
import { AuditPage } from '../pages/audit-page.jsx';
import { CalendarsPage } from '../pages/calendars-page.jsx';
import { ExecutorsPage } from '../pages/executors-page.jsx';
import { FlowFormPage } from '../pages/flow-form-page.jsx';
import { FlowPage } from '../pages/flow-page.jsx';
import { FlowsPage } from '../pages/flows-page.jsx';
import { JobFormPage } from '../pages/job-form-page.jsx';
import { JobPage } from '../pages/job-page.jsx';
import { JobsPage } from '../pages/jobs-page.jsx';
import { OverviewPage } from '../pages/overview-page.jsx';
import { RunPage } from '../pages/run-page.jsx';
import { RunsPage } from '../pages/runs-page.jsx';
import { TransferPage } from '../pages/transfer-page.jsx';
import { UsersPage } from '../pages/users-page.jsx';
import type { Address } from '../talk/address.js';
import type { Words } from '../words/en.js';

/** The pages of the navigation, in its order. */
export const pageNames = [
  'overview',
  'jobs',
  'runs',
  'flows',
  'executors',
  'calendars',
  'alerts',
  'transfer',
  'users',
  'audit',
  'about',
] as const;
export type PageName = (typeof pageNames)[number];

type Page = FunctionComponent<{ address: Address }>;

const lists: Readonly<Record<PageName, Page>> = {
  ...{
    overview: OverviewPage,
    jobs: JobsPage,
    runs: RunsPage,
    flows: FlowsPage,
    executors: ExecutorsPage,
    calendars: CalendarsPage,
  },
  ...{ alerts: AlertsPage, transfer: TransferPage, users: UsersPage, audit: AuditPage, about: AboutPage },
};

const NewJob: Page = ({ address }) => <JobFormPage id={null} copyOf={address.query.get('copy')} />;
const EditJob: Page = ({ address }) => <JobFormPage id={address.path.split('/')[1]!} copyOf={null} />;
const OneJob: Page = ({ address }) => <JobPage id={address.path.split('/')[1]!} />;
const OneRun: Page = ({ address }) => <RunPage id={address.path.split('/')[1]!} />;

const OneFlow: Page = ({ address }) => <FlowPage id={address.path.split('/')[1]!} />;

/** The page that an address names; the overview for one that names none. */
export function pageFor({ path }: Address, words: Words): { Page: Page; title: string; name: PageName } {
  if (path === 'jobs/new') return { Page: NewJob, title: words.title.newJob, name: 'jobs' };
  if (/^jobs\/\d+\/edit$/.test(path)) return { Page: EditJob, title: words.title.job, name: 'jobs' };
  if (/^jobs\/\d+$/.test(path)) return { Page: OneJob, title: words.title.job, name: 'jobs' };
  if (/^runs\/\d+$/.test(path)) return { Page: OneRun, title: words.title.run, name: 'runs' };
  if (path === 'flows/new') return { Page: FlowFormPage, title: words.flows.new, name: 'flows' };
  if (/^flows\/\d+$/.test(path)) return { Page: OneFlow, title: words.title.flow, name: 'flows' };
  const name = pageNames.find((known) => known === path) ?? 'overview';
  return { Page: lists[name], title: words.title[name], name };
}
