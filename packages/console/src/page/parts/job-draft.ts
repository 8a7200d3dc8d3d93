import type { AlertRule, Job, JobInput } from '@horae/time-ring';

/** A job as it is in the form: every field is typed text. */
export interface JobDraft {
  readonly name: string;
  readonly key: string;
  readonly handler: string;
  readonly executorGroup: string;
  readonly description: string;
  readonly owner: string;
  readonly labels: string;
  readonly kind: string;
  readonly expression: string;
  readonly dialect: 'quartz' | 'posix' | 'vixie';
  readonly zone: string;
  readonly everySeconds: string;
  readonly at: string;
  readonly every: string;
  readonly unit: IntervalUnit;
  readonly anchor: string;
  readonly params: string;
  readonly misfire: string;
  readonly route: string;
  readonly block: string;
  readonly concurrency: string;
  readonly timeoutSeconds: string;
  readonly retries: string;
  readonly priority: string;
  readonly except: string;
  readonly alerts: readonly AlertRule[];
  /** Settings without a field of their own, as JSON. */
  readonly more: string;
}

export const intervalUnits = ['minutes', 'hours', 'days', 'weeks', 'months'] as const;
type IntervalUnit = (typeof intervalUnits)[number];

/** The settings that stand together in `more`. */
const rarer = ['children', 'maxRunning', 'rate', 'jitterMs', 'waitMs', 'retry', 'keepRuns'] as const;

export const emptyDraft: JobDraft = {
  ...{ name: '', key: '', handler: '', executorGroup: 'default', description: '', owner: '', labels: '' },
  ...{
    kind: 'cron',
    expression: '0 0 9 * * ?',
    dialect: 'quartz',
    zone: '',
    everySeconds: '60',
    at: '',
    every: '1',
    unit: 'weeks',
    anchor: '',
    params: 'null',
  },
  ...{
    misfire: 'DO_NOTHING',
    route: 'FIRST',
    block: 'SERIAL',
    concurrency: '1',
    timeoutSeconds: '',
    retries: '0',
    priority: '0',
    except: '',
    alerts: [],
    more: '{}',
  },
};

type LooseSchedule = {
  kind: string;
  expression?: string;
  dialect?: JobDraft['dialect'];
  zone?: string;
  everyMs?: number;
  at?: number;
  every?: Partial<Record<IntervalUnit, number>>;
  anchor?: string;
};

/** The form of an existing job. */
export function draftOf(job: Job): JobDraft {
  const schedule = job.schedule as LooseSchedule;
  return {
    ...{ name: job.name, key: job.key ?? '', handler: job.handler, executorGroup: job.executorGroup },
    ...{ description: job.description, owner: job.owner, kind: schedule.kind, expression: schedule.expression ?? '' },
    labels: Object.entries(job.labels)
      .map(([name, value]) => `${name}=${value}`)
      .join('\n'),
    ...{
      dialect: schedule.dialect ?? 'quartz',
      zone: schedule.zone ?? '',
      misfire: job.misfire,
      route: job.route,
      block: job.block,
    },
    everySeconds: String((schedule.everyMs ?? 60_000) / 1_000),
    at: schedule.at === undefined ? '' : localInput(schedule.at),
    ...intervalDraft(schedule),
    params: JSON.stringify(job.params, null, 2),
    ...{ concurrency: String(job.concurrency), retries: String(job.retries), priority: String(job.priority) },
    timeoutSeconds: job.timeoutMs === null ? '' : String(job.timeoutMs / 1_000),
    except: job.except.join(', '),
    alerts: job.alerts,
    more: JSON.stringify(Object.fromEntries(rarer.map((name) => [name, job[name]])), null, 2),
  };
}

function intervalDraft({ every = {}, anchor = '' }: LooseSchedule): Pick<JobDraft, 'every' | 'unit' | 'anchor'> {
  const unit = intervalUnits.find((one) => every[one] !== undefined) ?? 'weeks';
  return { unit, every: String(every[unit] ?? 1), anchor };
}

/** What `datetime-local` shows for an instant. */
function localInput(at: number): string {
  const shifted = new Date(at - new Date(at).getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 19);
}

/** The schedule of a form, for the server to judge. */
export function scheduleOf(draft: JobDraft): JobInput['schedule'] {
  const { kind, expression, dialect, zone, everySeconds, at } = draft;
  const where = zone.trim() === '' ? {} : { zone: zone.trim() };
  if (kind === 'cron') return { kind, expression, dialect, ...where };
  if (kind === 'interval')
    return { kind, every: { [draft.unit]: Number(draft.every) }, anchor: draft.anchor, ...where };
  const loose: LooseSchedule =
    kind === 'once'
      ? { kind, at: new Date(at).getTime() }
      : kind === 'none'
        ? { kind }
        : { kind, everyMs: Math.round(Number(everySeconds) * 1_000) };
  return loose as JobInput['schedule'];
}

/** The job to send. Throws a `SyntaxError` when the parameters or the further settings are no JSON. */
export function jobOf(draft: JobDraft): JobInput {
  return {
    ...(JSON.parse(draft.more.trim() === '' ? '{}' : draft.more) as object),
    ...{
      name: draft.name,
      key: draft.key === '' ? null : draft.key,
      handler: draft.handler,
      executorGroup: draft.executorGroup,
    },
    ...{
      description: draft.description,
      owner: draft.owner,
      labels: labelsOf(draft.labels),
      schedule: scheduleOf(draft),
    },
    params: JSON.parse(draft.params === '' ? 'null' : draft.params) as unknown,
    misfire: draft.misfire as JobInput['misfire'],
    route: draft.route as JobInput['route'],
    block: draft.block as JobInput['block'],
    ...{ concurrency: Number(draft.concurrency), retries: Number(draft.retries), priority: Number(draft.priority) },
    timeoutMs: draft.timeoutSeconds === '' ? null : Math.round(Number(draft.timeoutSeconds) * 1_000),
    except: exceptOf(draft),
    alerts: draft.alerts,
  } as JobInput;
}

/** The calendars that a form names. */
export function exceptOf({ except }: JobDraft): string[] {
  const names = except.split(',').map((name) => name.trim());
  return names.filter((name) => name !== '');
}

function labelsOf(text: string): Record<string, string> {
  const lines = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return Object.fromEntries(
    lines.map((line) => [line.split('=')[0]!.trim(), line.split('=').slice(1).join('=').trim()]),
  );
}
