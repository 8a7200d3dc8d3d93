import { readInput } from '../documents/read-input.js';
import { defineCommand } from '../frame/define-command.js';
import { plainJson } from '../output/plain-json.js';
import { ringArguments, withRingClient } from './with-ring-client.js';

export const exportJobs = defineCommand({
  name: 'horae ring export',
  about: 'Print the jobs of a ring as JSON that "horae ring import" takes',
  args: ringArguments,
  examples: [
    { line: 'horae ring export --database sqlite:./ring.db > jobs.json', does: 'jobs, without their history' },
  ],
  async run(args) {
    const { exportedJobs } = await import('./job-file.js');
    const file = await withRingClient(args, exportedJobs, { isReading: true });
    return { json: file, text: JSON.stringify(JSON.parse(plainJson(file)), null, 2) };
  },
});

export const importFile = defineCommand({
  name: 'horae ring import',
  about: 'Take over the jobs of a file: one of "horae ring export", or a dump of XXL-JOB',
  args: {
    file: { type: 'positional', description: 'The file, "-" for standard input', required: true },
    ...ringArguments,
    zone: {
      type: 'string',
      alias: 'z',
      description: "XXL-JOB: the zone of the old scheduler's JVM",
      valueHint: 'name',
    },
    'dry-run': { type: 'boolean', alias: 'n', description: 'Say what would happen, and change nothing' },
  },
  examples: [
    { line: 'horae ring import jobs.json --database postgres://horae@db/horae', does: 'jobs of another ring' },
    {
      line: 'horae ring import xxl-job.sql --zone Asia/Shanghai --dry-run --url http://127.0.0.1:7070',
      does: 'what would become of a dump of XXL-JOB',
    },
  ],
  notes: 'Jobs whose key is there are updated; importing jobs without keys, or a dump, twice makes them twice.',
  async run(args) {
    const text = await readInput(args.file);
    const isDry = args['dry-run'] === true;
    const { importJobs, readJobFile } = await import('./job-file.js');
    const filed = readJobFile(text);
    const would = isDry ? 'would be ' : '';
    if (filed !== null) {
      const outcome = await withRingClient(args, (client) => importJobs(client, filed, isDry));
      return {
        json: outcome,
        text: `${outcome.added.length} jobs ${would}added, ${outcome.updated.length} ${would}updated`,
      };
    }
    const options = { dryRun: isDry, ...(args.zone === undefined ? {} : { zone: args.zone }) };
    const report = await withRingClient(args, (client) => client.importXxl(text, options));
    const lines = [
      `${report.imported.length} jobs ${would}imported, ${report.skipped.length} problems, ${report.warnings.length} warnings`,
      ...report.skipped.map(({ xxlId, reason }) => `  skipped ${xxlId ?? '-'}: ${reason}`),
      ...report.warnings.map(({ xxlId, message }) => `  warning ${xxlId ?? '-'}: ${message}`),
    ];
    return { json: report, text: lines.join('\n') };
  },
});
