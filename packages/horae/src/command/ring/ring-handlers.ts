import type { Handler } from '@horae/time-ring';
import type { DaemonLog } from '../daemon/daemon-log.js';
import { loadWork } from '../daemon/work.js';
import { plainJson } from '../output/plain-json.js';
import type { RingConfig } from './ring-config.js';

/** The handlers of a configuration. Modules are loaded now, so that an error is reported before anything changes. */
export async function loadHandlers(
  config: RingConfig,
  configPath: string,
  log: DaemonLog,
): Promise<Record<string, Handler>> {
  const handlers: Record<string, Handler> = {};
  for (const [name, fields] of Object.entries(config.handlers)) {
    const work = await loadWork(fields, configPath, `handler "${name}"`);
    handlers[name] = (context) =>
      work({
        signal: context.signal,
        argument: context,
        variables: variablesOf(context, name),
        log(line) {
          context.log(line);
          log.debug({ handler: name, run: context.runId, line }, 'output');
        },
      });
  }
  return handlers;
}

function variablesOf(context: Parameters<Handler>[0], handler: string): Record<string, string> {
  return {
    HORAE_HANDLER: handler,
    HORAE_JOB: String(context.jobId),
    HORAE_RUN: String(context.runId),
    HORAE_FIRE: String(context.fireId),
    HORAE_ATTEMPT: String(context.attempt),
    HORAE_TRIGGER: context.triggerType,
    HORAE_PARAMS: plainJson(context.params),
    HORAE_SCHEDULE_TIME: context.scheduleTime === null ? '' : new Date(context.scheduleTime).toISOString(),
    HORAE_SHARD_INDEX: String(context.shardIndex),
    HORAE_SHARD_TOTAL: String(context.shardTotal),
  };
}
