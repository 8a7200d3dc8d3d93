import type { ImportReport, Job } from '@horae/time-ring';
import { Button, Message, Panel } from '@horae-tooling/design/parts';
import { attempt } from '@horae-tooling/design/toasts';
import { useState } from 'preact/hooks';
import { ProblemText } from '../parts/common.jsx';
import { TextArea, TextField } from '../parts/text-field.jsx';
import { about } from '../talk/about.js';
import { ask, change } from '../talk/api.js';
import { useMay } from '../talk/rights.js';
import { problemOf } from '../talk/use-ask.js';
import { useWords } from '../words/language.js';

/** Jobs out as JSON, and in from JSON or from XXL-JOB. */
export function TransferPage() {
  const words = useWords();
  const may = useMay();
  return (
    <div class="stack">
      <Panel title={words.transfer.export}>
        <Button onClick={() => attempt(exportAll)}>{words.transfer.exportAll}</Button>
      </Panel>
      {may('editor') ? <JsonImport /> : null}
      {may('editor') ? <XxlImport /> : null}
    </div>
  );
}

const PAGE = 500;

async function allJobs(): Promise<Job[]> {
  const jobs: Job[] = [];
  let cursor: string | null = null;
  do {
    const page: { jobs: readonly Job[]; cursor: string | null } = await ask('admin/jobs', { limit: PAGE, cursor });
    jobs.push(...page.jobs);
    cursor = page.cursor;
  } while (cursor !== null);
  return jobs;
}

async function exportAll(): Promise<void> {
  const file = new Blob([`${JSON.stringify((await allJobs()).map(settingsOf), null, 2)}\n`], {
    type: 'application/json',
  });
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = 'horae-jobs.json';
  link.click();
  URL.revokeObjectURL(link.href);
}

/** The settings of a job; ids of children belong to one database and are left out. */
function settingsOf(job: Job): object {
  const { id, state, stopReason, lastAt, nextAt, createdAt, updatedAt, children, ...settings } = job;
  return { ...settings, start: state === 'RUNNING' };
}

function JsonImport() {
  const words = useWords();
  const [text, setText] = useState('');
  const [outcome, setOutcome] = useState<{ added: number; skipped: string[] } | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const run = async () => {
    try {
      const parsed: unknown = JSON.parse(text);
      const skipped: string[] = [];
      let added = 0;
      for (const { namespace: _, ...job } of (Array.isArray(parsed) ? parsed : [parsed]) as ({
        name?: string;
        namespace?: unknown;
      } & object)[]) {
        try {
          await change('POST', 'admin/jobs', job);
          added++;
        } catch (error) {
          skipped.push(`${job.name ?? '?'}: ${problemOf(error)}`);
        }
      }
      setOutcome({ added, skipped });
      setProblem(null);
    } catch (error) {
      setProblem(problemOf(error));
    }
  };
  return (
    <Panel title={words.transfer.import}>
      <div class="stack-tight">
        <TextArea label={words.transfer.text} isMono rows={6} value={text} onText={setText} />
        <div>
          <Button kind="primary" onClick={run}>
            {words.transfer.importNow}
          </Button>
        </div>
        <ProblemText text={problem} />
        {outcome === null ? null : <Outcome imported={outcome.added} skipped={outcome.skipped} />}
      </div>
    </Panel>
  );
}

function XxlImport() {
  const words = useWords();
  const ringZone = about.use()?.zone ?? 'UTC';
  const [zone, setZone] = useState('');
  const [text, setText] = useState('');
  const [dryRun, setDryRun] = useState(true);
  const [report, setReport] = useState<ImportReport | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const run = async () => {
    try {
      setReport(await change<ImportReport>('POST', 'admin/import', { text, dryRun, zone: zone.trim() || ringZone }));
      setProblem(null);
    } catch (error) {
      setReport(null);
      setProblem(problemOf(error));
    }
  };
  return (
    <Panel title={words.transfer.importXxl} note={words.transfer.xxlAbout}>
      <div class="stack-tight">
        <Message tone="warn">{words.transfer.zone(ringZone)}</Message>
        <TextField label={words.transfer.zoneField} placeholder={ringZone} value={zone} onText={setZone} />
        <TextArea label={words.transfer.text} isMono rows={6} value={text} onText={setText} />
        <label class="row">
          <input type="checkbox" checked={dryRun} onChange={(event) => setDryRun(event.currentTarget.checked)} />{' '}
          {words.transfer.dryRun}
        </label>
        <div>
          <Button kind="primary" onClick={run}>
            {words.transfer.importNow}
          </Button>
        </div>
        <ProblemText text={problem} />
        {report === null ? null : (
          <Outcome
            imported={report.imported.length}
            skipped={report.skipped.map(({ xxlId, reason }) => `${xxlId ?? '?'}: ${reason}`)}
            warnings={report.warnings.map(({ xxlId, message }) => `${xxlId ?? '?'}: ${message}`)}
          />
        )}
      </div>
    </Panel>
  );
}

function Outcome(props: { imported: number; skipped: readonly string[]; warnings?: readonly string[] }) {
  const { imported, skipped, warnings = [] } = props;
  const words = useWords();
  return (
    <div role="status" class="stack-tight">
      <Message tone="good">{words.transfer.imported(imported)}</Message>
      {skipped.length === 0 ? null : (
        <Message tone="warn">
          {words.transfer.skipped(skipped.length)}
          <TextList texts={skipped} />
        </Message>
      )}
      {warnings.length === 0 ? null : (
        <Message tone="warn">
          {words.transfer.warnings(warnings.length)}
          <TextList texts={warnings} />
        </Message>
      )}
    </div>
  );
}

function TextList({ texts }: { texts: readonly string[] }) {
  return (
    <ul>
      {texts.map((text, index) => (
        <li key={index}>{text}</li>
      ))}
    </ul>
  );
}
