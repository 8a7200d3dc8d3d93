import { systemClock } from '@horae/clock-store';
import { openDatabase } from '@horae/clock-store/storage';
import { createExecutor, startTimeRing } from '@horae/time-ring';

// A node that stops itself, as a machine that is suspended does, at a chosen moment of its pass. Told 'freeze', it does so at the next
// such moment; told 'stop', it stops its ring with a deadline.
const { database: url, claim, nodeId, moment } = JSON.parse(process.argv[2]);
const clock = systemClock();
const tell = (message) => process.send(message, () => {});
let isArmed = false;
let isInPass = false;

function freeze() {
  isArmed = false;
  tell({ event: 'freezing' });
  process.kill(process.pid, 'SIGSTOP');
}

const isNow = (kind, text) => isArmed && moment?.kind === kind && new RegExp(moment.text ?? '', 's').test(text);

/** The text of a statement: raw parts within raw parts, other parts as question marks. */
function textOf(node) {
  if (node.kind !== 'RawNode') return '?';
  return node.sqlFragments
    .map((part, i) => part + (i < node.parameters.length ? textOf(node.parameters[i]) : ''))
    .join('');
}

const texts = new WeakMap();
const watcher = {
  transformQuery({ node, queryId }) {
    const text = textOf(node);
    texts.set(queryId, text);
    if (isNow('before', text)) freeze();
    else if (isNow('sent', text)) setImmediate(freeze);
    return node;
  },
  async transformResult({ result, queryId }) {
    if (isNow('answered', texts.get(queryId))) freeze();
    return result;
  },
};

const opened = await openDatabase(url);
const database = Object.create(opened, {
  transaction: {
    value: (work, options) =>
      opened.transaction(async (trx) => {
        if (isInPass && isNow('begun', '')) freeze();
        const result = await work(trx.withPlugin(watcher));
        if (isInPass && isNow('commit', '')) setImmediate(freeze);
        return result;
      }, options),
  },
  kysely: { value: opened.kysely },
  migrate: { value: (...given) => opened.migrate(...given) },
  dbNow: { value: (...given) => opened.dbNow(...given) },
  dialect: { value: opened.dialect },
});

const log = Object.fromEntries(
  ['debug', 'info', 'warn', 'error'].map((level) => [level, (_, text) => tell({ event: 'log', level, reason: text })]),
);
const ring = await startTimeRing({
  database,
  claim,
  nodeId,
  log,
  onStep(step) {
    if (step === 'claim') isInPass = true;
    if (step === 'claimed') isInPass = false;
    if (isNow('step', step)) freeze();
  },
});
for (const event of ['run-started', 'run-succeeded', 'run-failed', 'run-killed']) {
  ring.events.on(event, ({ run }) => tell({ event, runId: run.id, jobId: run.jobId }));
}
ring.events.on('job-misfired', ({ jobId }) => tell({ event: 'job-misfired', jobId }));
for (const event of ['pass-completed', 'pass-failed']) {
  ring.events.on(event, ({ error }) => tell({ event, buckets: ring.health().buckets.length, reason: error?.message }));
}
process.on('message', async (order) => {
  if (order === 'freeze') isArmed = true;
  if (order !== 'stop') return;
  const began = clock.monotonicMs();
  await ring.stop({ deadlineMs: 2_000 });
  await opened.close({ limitMs: 500 });
  tell({ event: 'stopped', tookMs: clock.monotonicMs() - began });
  process.disconnect();
});
await createExecutor({ ring, address: nodeId, handlers: { work: () => undefined } });
// The parent went away: nobody would end this process any more.
process.on('disconnect', () => process.exit(0));
tell({ event: 'ready' });
