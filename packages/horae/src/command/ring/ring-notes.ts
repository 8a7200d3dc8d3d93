/** Shown by the help of `ring serve`. */
export const ringNotes = `
CONFIGURATION (YAML, JSON, or a JavaScript or TypeScript module with this as its default export)

  database: sqlite:./ring.db     # postgres://… and mysql://… for many machines
  claim: lock-row                # or buckets: every node schedules its part; all nodes of a database use the same
  zone: Europe/Berlin            # of expressions without a zone of their own; UTC by default
  port: 7070                     # the console at /, the admin API and the executors' side; none by default
  console: true                  # false: no console at the port
  http:                          # the library's names: host accessToken adminToken tokenHeader payloadField maxBodyBytes
    callTimeoutMs: 3s            # callTimeoutMs maxExecutors maxConnections breaker { failures, openMs } resultGraceMs
  token: secret                  # what executors need; needed by everything but loopback; HORAE_TOKEN too
  adminToken: another            # what the admin API needs instead of the token; HORAE_ADMIN_TOKEN too
  nodeId: node-1                 # a label for people
  leaseMs: 3s                    # preReadMs misfireMs leaseMs keepRunsMs maxClockSkewMs: milliseconds or durations
  batchLimit: 6000               # slots drainSlots batchLimit maxParamsBytes metricJobs
  channels: { ops: { kind: webhook, url: https://chat.example/hook, format: slack } }   # or { kind: email, smtp, to, from }
  alerts: [{ on: late, afterMs: 10s, channel: ops }]   # fire-failed fire-recovered misfire late run-waiting executor-lost node-lost pass-failed
  quietMs: 10m                   # the same trouble of a job within it is one message
  pools: { fast: { size: 200, queue: 2000 }, slow: { size: 100, queue: 5000 }, slowAfterMs: 500, slowAfterCount: 10, windowMs: 1m }
  queueLimit: 1000               # how many runs of a job wait on this node's executor; the rest wait in the database
  stopTimeout: 30s               # what has not ended then is handed back
  group: default                 # the executor group of the handlers below
  handlers:
    mail: { run: ./mail.sh }     # a shell command; HORAE_PARAMS (JSON), HORAE_JOB, HORAE_RUN, HORAE_FIRE, HORAE_SCHEDULE_TIME …
    sweep: { module: ./sweep.js, export: sweep }
  jobs:
    - name: morning mail
      handler: mail
      schedule: { kind: cron, expression: "0 0 9 ? * MON-FRI" }   # Quartz; dialect: vixie reads a crontab's five fields
      params: { to: ops }
      retries: 2
      retry: { kind: exponential, firstMs: 1s, factor: 2, maxMs: 5m, jitter: 0.1 }   # or { kind: fixed, delayMs: 10s }
      timeout: 30s
      waitMs: 5m                 # how long a run waits for an executor; null: for ever
      key: morning-mail          # key, description, owner and labels are for people and programs
      labels: { team: ops }
      children: [sweep]          # triggered after a success, by name
    - { name: sweep, handler: sweep, schedule: { kind: none } }
    - { name: poll, handler: mail, schedule: { kind: fix-rate, everyMs: 5s }, block: DISCARD }
    # further kinds: { kind: fix-delay, everyMs: 1m }, { kind: once, at: 1767225600000 },
    # { kind: interval, every: { weeks: 2 }, anchor: 2026-01-05T09:00 }; maxRunning rate jitterMs except keepRuns alerts as in the library

Jobs are found again by name: new ones are added and started, changed ones updated, others left alone. A job that was stopped by
hand stays stopped.`;
