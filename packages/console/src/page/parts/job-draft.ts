import type { Job, JobInput } from '@horae/time-ring';

/** A job as it stands in the form: everything is text that somebody types. */
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
  readonly params: string;
  readonly misfire: string;
  readonly route: string;
  readonly block: string;
  readonly concurrency: string;
  readonly timeoutSeconds: string;
  readonly retries: string;
  readonly priority: string;
  readonly except: string;
}

export const emptyDraft: JobDraft = {
  ...{ name: '', key: '', handler: '', executorGroup: 'default', description: '', owner: '', labels: '' },
  ...{
    kind: 'cron',
    expression: '0 0 9 * * ?',
    dialect: 'quartz',
    zone: '',
    everySeconds: '60',
    at: '',
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
  },
};

type LooseSchedule = {
  kind: string;
  expression?: string;
  dialect?: JobDraft['dialect'];
  zone?: string;
  everyMs?: number;
  at?: number;
};

/** The form of a job that is there. */
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
    params: JSON.stringify(job.params, null, 2),
    ...{ concurrency: String(job.concurrency), retries: String(job.retries), priority: String(job.priority) },
    timeoutSeconds: job.timeoutMs === null ? '' : String(job.timeoutMs / 1_000),
    except: job.except.join(', '),
  };
}

/** What `datetime-local` shows for an instant. */
function localInput(at: number): string {
  const shifted = new Date(at - new Date(at).getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 19);
}

/** The schedule of a form, for the server to judge. */
export function scheduleOf({ kind, expression, dialect, zone, everySeconds, at }: JobDraft): JobInput['schedule'] {
  const where = zone.trim() === '' ? {} : { zone: zone.trim() };
  if (kind === 'cron') return { kind, expression, dialect, ...where };
  const loose: LooseSchedule =
    kind === 'once'
      ? { kind, at: new Date(at).getTime() }
      : kind === 'none'
        ? { kind }
        : { kind, everyMs: Math.round(Number(everySeconds) * 1_000) };
  return loose as JobInput['schedule'];
}

/** What is sent. Throws a `SyntaxError` when the parameters are no JSON. */
export function jobOf(draft: JobDraft): JobInput {
  return {
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
