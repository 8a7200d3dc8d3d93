import { createDaemonLog } from '../daemon/daemon-log.js';
import { runDaemon } from '../daemon/run-daemon.js';
import { defineCommand } from '../frame/define-command.js';
import { configNotes, readTasksConfig, storeArguments } from './tasks-config.js';
import { tasksDaemon } from './tasks-daemon.js';
import { prepareSession } from './tasks-session.js';

export const run = defineCommand({
  name: 'horae tasks run',
  about: 'Run the tasks of a file until told to stop',
  args: {
    config: { type: 'positional', description: 'The file of tasks', required: true },
    ...storeArguments,
    check: { type: 'boolean', description: 'Check the configuration, load its modules, and stop' },
  },
  examples: [
    {
      line: 'horae tasks run tasks.yaml',
      does: 'in the foreground; Ctrl-C stops when running tasks have ended, twice at once',
    },
    { line: 'horae tasks run tasks.yaml --database postgres://horae@db/horae', does: 'with another database' },
    { line: 'kill -HUP <pid>', does: 'read the file again; a wrong one is told and not used' },
    { line: 'horae tasks run tasks.yaml --check', does: 'before you deploy it' },
  ],
  notes: `${configNotes}
SIGTERM and SIGINT stop when what runs has ended; a second one ends at once. SIGHUP reads the file again, when what runs has
ended. The log is for people on a terminal, JSON lines in a pipe. One daemon at a time works
on a namespace of a database: a second one is refused, or with "instances: standby" waits and takes over.`,
  async run(args, context) {
    const read = () => readTasksConfig(args.config, args);
    if (args.check === true) {
      const { config } = await prepareSession(await read(), args.config);
      const names = config.tasks.map(({ name }) => name);
      return { json: { ok: true, tasks: names }, text: `right: ${names.length} tasks` };
    }
    const log = createDaemonLog(context, args.json === true);
    const { clock } = context;
    await runDaemon(() => tasksDaemon({ read, configPath: args.config, clock, log }), context, log);
    return undefined;
  },
});
