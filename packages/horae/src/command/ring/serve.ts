import { wholeNumber } from '../arguments/number-argument.js';
import { createDaemonLog } from '../daemon/daemon-log.js';
import { defineCommand } from '../frame/define-command.js';
import type { RingConfig } from './ring-config.js';
import { ringNotes } from './ring-notes.js';
import { tokenOf } from './tokens.js';

export const serve = defineCommand({
  name: 'horae ring serve',
  about: 'Run a node: it schedules the jobs of its database together with other nodes, and runs its handlers',
  args: {
    config: { type: 'positional', description: 'The file of jobs and handlers', required: true },
    database: {
      type: 'string',
      alias: 'd',
      description: "Database URL, instead of the configuration's",
      valueHint: 'url',
    },
    port: {
      type: 'string',
      alias: 'p',
      description: 'Port of the console, the admin API and executors, 0 for a free one',
      valueHint: 'number',
    },
    host: { type: 'string', description: 'Where to listen, 127.0.0.1 by default', valueHint: 'address' },
    token: { type: 'string', description: 'The token of executors, HORAE_TOKEN by default', valueHint: 'text' },
    'admin-token': {
      type: 'string',
      description: "The admin API's own token, HORAE_ADMIN_TOKEN by default; else the token of executors",
      valueHint: 'text',
    },
    claim: { type: 'enum', options: ['lock-row', 'buckets'], description: 'How nodes share the work' },
    check: { type: 'boolean', description: 'Check the configuration, load its modules, and stop' },
  },
  examples: [
    { line: 'horae ring serve ring.yaml', does: 'one node on SQLite' },
    {
      line: 'horae ring serve ring.yaml --port 7070',
      does: 'with the admin API; "horae ring list --url http://127.0.0.1:7070" asks it',
    },
    {
      line: 'HORAE_TOKEN=… HORAE_ADMIN_TOKEN=… horae ring serve ring.yaml --database postgres://horae@db/horae --host 0.0.0.0 --port 7070 --claim buckets',
      does: 'one of many nodes',
    },
    { line: 'kill -HUP <pid>', does: 'read jobs and handlers again; a wrong file is told and not used' },
  ],
  notes: `${ringNotes}

SIGTERM and SIGINT stop when what runs has ended; a second one ends at once. The log is for people on a terminal, JSON lines in a
pipe.`,
  async run(args, context) {
    const overrides: Partial<RingConfig> = {
      database: args.database,
      host: args.host,
      token: tokenOf('--token', args.token, 'HORAE_TOKEN'),
      adminToken: tokenOf('--admin-token', args['admin-token'], 'HORAE_ADMIN_TOKEN'),
      claim: args.claim as RingConfig['claim'] | undefined,
      port:
        args.port === undefined
          ? undefined
          : wholeNumber('--port', args.port, { fallback: 7070, least: 0, most: 65_535 }),
    };
    const { readRingConfig } = await import('./ring-config.js');
    const read = () => readRingConfig(args.config, overrides);
    const log = createDaemonLog(context, args.json === true);
    if (args.check === true) {
      const config = await read();
      const { loadHandlers } = await import('./ring-handlers.js');
      const handlers = Object.keys(await loadHandlers(config, args.config, log));
      const text = `right: ${config.jobs.length} jobs, ${handlers.length} handlers`;
      return { json: { ok: true, jobs: config.jobs.map(({ name }) => name), handlers }, text };
    }
    const { runDaemon } = await import('../daemon/run-daemon.js');
    const { ringDaemon } = await import('./ring-daemon.js');
    await runDaemon(() => ringDaemon({ read, configPath: args.config, log }), context, log);
    return undefined;
  },
});
