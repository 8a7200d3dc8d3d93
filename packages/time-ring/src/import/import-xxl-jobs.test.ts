import { systemClock } from '@horae/clock-store';
import { expect, test } from 'vitest';
import { TimeRingError } from '../model/errors.js';
import type { TimeRing } from '../model/interface.js';
import type { Job, JobInput } from '../model/job.js';
import { parseChange, parseJob } from '../schedule/parse-job.js';
import { importXxlJobs } from './import-xxl-jobs.js';
import { linkChildren } from './link-children.js';
import { readExport } from './read-export.js';

/** Jobs as a ring takes them, in a list; what is not needed for an import is not there. */
function jobList() {
  const jobs: (JobInput & { id: number; isStarted: boolean })[] = [];
  const find = (id: number) => jobs.find((job) => job.id === id)!;
  const ring = {
    jobs: {
      async add(job: JobInput) {
        jobs.push({ ...parseJob(job), id: jobs.length + 1, isStarted: false });
        return find(jobs.length) as unknown as Job;
      },
      async update(id: number, change: Partial<JobInput>) {
        const { id: _, isStarted: __, ...settings } = find(id);
        Object.assign(find(id), parseChange(change, settings as never));
        return find(id) as unknown as Job;
      },
      async start(id: number) {
        if (find(id).schedule.kind === 'none')
          throw new TimeRingError('not-schedulable', `Job ${id} has no schedule`, {});
        find(id).isStarted = true;
        return find(id) as unknown as Job;
      },
    },
  } as unknown as TimeRing;
  return { ring, jobs };
}

const dump = `
-- MySQL dump 10.13  Distrib 8.0.32
/*!40101 SET NAMES utf8mb4 */;
# a comment; with a semicolon
DROP TABLE IF EXISTS \`xxl_job_group\`;
CREATE TABLE \`xxl_job_group\` (\`id\` int(11) NOT NULL, \`app_name\` varchar(64) COMMENT '执行器; AppName');
INSERT INTO \`xxl_job_group\`(\`id\`, \`app_name\`, \`title\`, \`address_type\`, \`address_list\`, \`update_time\`) VALUES
  (1, 'xxl-job-executor-sample', '通用执行器Sample', 0, NULL, now());
INSERT INTO xxl_job.xxl_job_info(id, job_group, job_desc, add_time, author, schedule_type, schedule_conf, misfire_strategy,
  executor_route_strategy, executor_handler, executor_param, executor_block_strategy, executor_timeout, executor_fail_retry_count,
  glue_type, glue_source, child_jobid, trigger_status) VALUES
  (11, 1, '测试任务1', '2018-11-03 22:21:31', 'XXL', 'CRON', '0 0 0 * * ? *', 'DO_NOTHING', 'FIRST', 'demoJobHandler', '', 'SERIAL_EXECUTION', 0, 0, 'BEAN', '', '', 0),
  (12, 1, 'It''s \\'quoted\\', (a "comma")\\n', now(), 'XXL', 'FIX_RATE', '30', 'FIRE_ONCE_NOW', 'SHARDING_BROADCAST', 'shard', 'a\\\\b;c', 'COVER_EARLY', 15, 3, 'BEAN', NULL, '11,13', 1),
  (13, 2, 'No schedule', NULL, 'XXL', 'NONE', '', 'DO_NOTHING', 'LEAST_RECENTLY_USED', 'h', NULL, 'DISCARD_LATER', 0, 0, 'BEAN', '', NULL, 0),
  (14, 1, 'A script', NULL, 'XXL', 'CRON', '* * * * * ?', 'DO_NOTHING', 'FIRST', '', '', 'SERIAL_EXECUTION', 0, 0, 'GLUE_SHELL', '#!/bin/sh', '', 1),
  (15, 1, 'Broken', NULL),
  (16, 1, 'Bad cron', NULL, 'XXL', 'CRON', 'every day', 'DO_NOTHING', 'FIRST', 'h', '', 'SERIAL_EXECUTION', 0, 0, 'BEAN', '', '', 1),
  (17, 1, 'Bad route', NULL, 'XXL', 'CRON', '0 0 0 * * ?', 'DO_NOTHING', 'NEAREST', 'h', '', 'SERIAL_EXECUTION', 0, 0, 'BEAN', '', '', 1),
  (18, 1, 'Bad block', NULL, 'XXL', 'CRON', '0 0 0 * * ?', 'DO_NOTHING', 'FIRST', 'h', '', 'SERIAL', 0, 0, 'BEAN', '', '', 1)
;
UNLOCK TABLES;
`;

test('a MySQL dump is taken over: escapes, several rows, comments, NULL, functions, groups by name, children by their new ids', async () => {
  const { ring, jobs } = jobList();
  const report = await importXxlJobs(ring, dump);
  expect(report.imported).toEqual([
    { xxlId: 11, jobId: 1, name: '测试任务1' },
    { xxlId: 12, jobId: 2, name: "It's 'quoted', (a \"comma\")\n" },
    { xxlId: 13, jobId: 3, name: 'No schedule' },
  ]);
  expect(jobs).toMatchObject([
    {
      handler: 'demoJobHandler',
      schedule: { kind: 'cron', expression: '0 0 0 * * ? *' },
      params: null,
      misfire: 'DO_NOTHING',
      route: 'FIRST',
      block: 'SERIAL',
      timeoutMs: null,
      retries: 0,
      executorGroup: 'xxl-job-executor-sample',
      children: [],
      isStarted: false,
    },
    {
      schedule: { kind: 'fix-rate', everyMs: 30_000 },
      params: 'a\\b;c',
      misfire: 'FIRE_ONCE_NOW',
      route: 'SHARDING_BROADCAST',
      block: 'COVER',
      timeoutMs: 15_000,
      retries: 3,
      children: [1, 3],
      isStarted: true,
    },
    {
      schedule: { kind: 'none' },
      params: null,
      route: 'LEAST_RECENTLY_USED',
      block: 'DISCARD',
      executorGroup: 'group-2',
    },
  ]);
});

test('a row that cannot be taken over is told with its reason, and the rest is imported', async () => {
  const { ring } = jobList();
  const { skipped } = await importXxlJobs(ring, dump);
  expect(skipped).toEqual([
    { xxlId: 14, reason: expect.stringMatching(/GLUE_SHELL/) },
    { xxlId: null, reason: expect.stringMatching(/4 values for 18 columns/) },
    { xxlId: 16, reason: expect.stringMatching(/schedule|cron|field/i) },
    { xxlId: 17, reason: expect.stringMatching(/executor_route_strategy NEAREST/) },
    { xxlId: 18, reason: expect.stringMatching(/executor_block_strategy SERIAL/) },
  ]);
});

test('a dry run tells the same and changes nothing', async () => {
  const real = await importXxlJobs(jobList().ring, dump);
  const { ring, jobs } = jobList();
  const dry = await importXxlJobs(ring, dump, { dryRun: true });
  expect(jobs).toEqual([]);
  expect(dry.skipped).toEqual(real.skipped);
  expect(dry.imported).toEqual(real.imported.map((job) => ({ ...job, jobId: 0 })));
});

const row = { id: 1, job_group: 1, job_desc: 'one', executor_handler: 'h', glue_type: 'BEAN' };

test.each([
  { story: 'an array of rows', text: JSON.stringify([{ ...row, job_cron: '0 0 1 * * ?' }]), group: 'group-1' },
  {
    story: 'both tables in snake case',
    text: JSON.stringify({
      xxl_job_info: [{ ...row, job_cron: '0 0 1 * * ?' }],
      xxl_job_group: [{ id: 1, app_name: 'app' }],
    }),
    group: 'app',
  },
  {
    story: 'both tables in camel case',
    text: JSON.stringify({
      xxlJobInfo: [
        {
          id: '1',
          jobGroup: '1',
          jobDesc: 'one',
          executorHandler: 'h',
          glueType: 'BEAN',
          scheduleType: 'CRON',
          scheduleConf: '0 0 1 * * ?',
        },
      ],
      xxlJobGroup: [{ id: 1, appname: 'app' }],
    }),
    group: 'app',
  },
])('JSON is read as $story, with the cron expression of old and new versions', async ({ text, group }) => {
  const { ring, jobs } = jobList();
  const report = await importXxlJobs(ring, `\n ${text}`);
  expect(report).toMatchObject({ imported: [{ xxlId: 1, jobId: 1, name: 'one' }], skipped: [] });
  expect(jobs[0]).toMatchObject({ executorGroup: group, schedule: { kind: 'cron', expression: '0 0 1 * * ?' } });
});

test('children that are not imported, or that close a cycle, are left out and told; their parents are imported', async () => {
  const rows = [
    { ...row, id: 1, child_jobid: '2, 99' },
    { ...row, id: 2, childJobId: '1' },
    { ...row, id: 3, child_jobid: '3' },
    { ...row, id: 4, child_jobid: 'x' },
  ];
  const { ring, jobs } = jobList();
  const report = await importXxlJobs(ring, JSON.stringify(rows));
  expect(report.imported.map(({ xxlId }) => xxlId)).toEqual([1, 2, 3]);
  expect(jobs.map(({ children }) => children)).toEqual([[2], [], []]);
  expect(report.skipped).toEqual([
    { xxlId: 4, reason: expect.stringMatching(/child_jobid x/) },
    { xxlId: 1, reason: expect.stringMatching(/child 99/) },
    { xxlId: 2, reason: expect.stringMatching(/child 1 .*cycle/) },
    { xxlId: 3, reason: expect.stringMatching(/child 3 .*cycle/) },
  ]);
});

test.each([
  { story: 'without an id', change: { id: null }, says: /id is missing/ },
  { story: 'with a broken id', change: { id: 'one' }, says: /id one/ },
  { story: 'without a description', change: { job_desc: ' ' }, says: /job_desc/ },
  { story: 'without a handler', change: { executor_handler: '' }, says: /executor_handler/ },
  { story: 'without a group', change: { job_group: null }, says: /job_group/ },
  { story: 'of an unknown schedule type', change: { schedule_type: 'FIX_DELAY' }, says: /FIX_DELAY/ },
  { story: 'with a broken rate', change: { schedule_type: 'FIX_RATE', schedule_conf: '1.5' }, says: /FIX_RATE/ },
  { story: 'with a rate of zero', change: { schedule_type: 'FIX_RATE', schedule_conf: '0' }, says: /FIX_RATE/ },
  { story: 'with an unknown misfire strategy', change: { misfire_strategy: 'TWICE' }, says: /misfire_strategy TWICE/ },
  { story: 'with an object where a text belongs', change: { job_desc: {} }, says: /jobDesc/ },
  { story: 'with a name that is too long', change: { job_desc: 'n'.repeat(256) }, says: /name/ },
])('a row $story is skipped', async ({ change, says }) => {
  const report = await importXxlJobs(jobList().ring, JSON.stringify([{ ...row, ...change }, { ...row, id: 9 }, 5]));
  expect(report.imported).toHaveLength(1);
  expect(report.skipped).toEqual([
    { xxlId: expect.toSatisfy((id) => id === null || id === 1), reason: expect.stringMatching(says) },
    { xxlId: null, reason: 'the row is not an object' },
  ]);
});

test('a second row with the same id is skipped, and a job that cannot be started is imported stopped and told', async () => {
  const { ring, jobs } = jobList();
  const report = await importXxlJobs(ring, JSON.stringify([{ ...row, trigger_status: 1 }, row]));
  expect(jobs).toHaveLength(1);
  expect(report.skipped).toEqual([
    { xxlId: 1, reason: 'another row has the same id' },
    { xxlId: 1, reason: expect.stringMatching(/no schedule/) },
  ]);
});

test('an INSERT without column names says what to do', async () => {
  const report = await importXxlJobs(jobList().ring, "INSERT INTO xxl_job_info VALUES (1, 1, 'a');");
  expect(report).toEqual({
    imported: [],
    skipped: [{ xxlId: null, reason: expect.stringMatching(/--complete-insert/) }],
    warnings: [],
  });
});

test.each([
  { story: 'nothing', text: '' },
  { story: 'prose', text: 'Dear reader,' },
  { story: 'SQL of other tables', text: 'INSERT INTO users (id) VALUES (1);' },
  { story: 'a text that breaks off', text: "INSERT INTO xxl_job_info (id, job_desc) VALUES (1, 'abc" },
  { story: 'a comment that is not closed', text: 'INSERT INTO xxl_job_info (id) VALUES (1); /* and' },
  { story: 'broken JSON', text: '[{' },
  { story: 'JSON without the table', text: '{"jobs":[]}' },
  { story: 'JSON whose table is no list', text: '{"xxl_job_info":{}}' },
  { story: 'SQL said to be JSON', text: dump, format: 'json' as const },
  { story: 'JSON said to be SQL', text: '[]', format: 'sql' as const },
])('$story is refused as bad-import before anything is written', async ({ text, format }) => {
  const { ring, jobs } = jobList();
  await expect(importXxlJobs(ring, text, { format })).rejects.toMatchObject({ code: 'bad-import' });
  expect(jobs).toEqual([]);
});

test('an export without jobs is read, and there is nothing to import', async () => {
  for (const text of ['[]', '{"xxl_job_info":[]}', "INSERT INTO xxl_job_group (id, app_name) VALUES (1, 'a')"]) {
    expect(await importXxlJobs(jobList().ring, text)).toEqual({ imported: [], skipped: [], warnings: [] });
  }
});

test('ten thousand rows are read in one go', async () => {
  const rows = Array.from(
    { length: 10_000 },
    (_, index) => `(${index + 1}, 1, 'job ${index} \\'x\\'', 'h', '${index + 2}')`,
  );
  const text = `INSERT INTO xxl_job_info (id, job_group, job_desc, executor_handler, glue_source) VALUES ${rows.join(',\n')};`;
  const report = await importXxlJobs(jobList().ring, text, { dryRun: true });
  expect(report.imported).toHaveLength(10_000);
});

test('an INSERT of 150,000 rows on one line is read in one go', async () => {
  const row = "(1,1,'x','h','0 0 0 * * ?')";
  const text = `INSERT INTO xxl_job_info (id,job_group,job_desc,executor_handler,job_cron) VALUES ${Array(150_000).fill(row).join(',')};`;
  // Looking for the end of the line anew at each of a million tokens would take minutes.
  expect((await readExport(text, 'sql', systemClock())).jobs).toHaveLength(150_000);
});

test('a chain of 20,000 children is put in order, children first, each looked at once', () => {
  let looks = 0;
  const jobs = Array.from({ length: 20_000 }, (_, i) => ({
    xxlId: i + 1,
    get children() {
      looks += 1;
      return [((i + 1) % 20_000) + 1];
    },
  }));
  const { childrenFirst, problems } = linkChildren(jobs);
  expect(childrenFirst).toEqual(Array.from({ length: 20_000 }, (_, i) => 20_000 - i));
  expect(problems).toEqual([{ xxlId: 20_000, reason: expect.stringMatching(/^child 1 is left out: cycle 1 -> 2/) }]);
  expect(problems[0]!.reason.length).toBeLessThan(200);
  expect(looks).toBeLessThan(50_000);
});

test('point 20: without a zone a dry run warns; with one the cron jobs have it, and an unknown one is refused', async () => {
  const rows = JSON.stringify([{ ...row, schedule_type: 'CRON', schedule_conf: '0 0 9 * * ?' }]);
  const { ring, jobs } = jobList();
  const dry = await importXxlJobs(ring, rows, { dryRun: true });
  expect(dry.warnings).toEqual([{ xxlId: null, message: expect.stringMatching(/zone of its JVM/) }]);
  const report = await importXxlJobs(ring, rows, { zone: 'Asia/Shanghai' });
  expect(report.warnings).toEqual([]);
  expect(jobs[0]!.schedule).toEqual({ kind: 'cron', expression: '0 0 9 * * ?', zone: 'Asia/Shanghai' });
  await expect(importXxlJobs(ring, rows, { zone: 'Mars/Base' })).rejects.toMatchObject({ code: 'bad-import' });
  expect(jobs).toHaveLength(1);
});

test('point 20: author becomes the owner; alarm email, group title, manual addresses and strange columns are warned about', async () => {
  const { ring, jobs } = jobList();
  const text = JSON.stringify({
    xxl_job_info: [
      { ...row, author: 'Xu', alarm_email: 'ops@example.com', glue_source: '', add_time: '2018', tenant: 7 },
    ],
    xxl_job_group: [
      { id: 1, app_name: 'app', title: 'Reports', address_type: 1, address_list: 'http://a:9999/,http://b:9999/' },
      { id: 2, app_name: 'auto', title: '', address_type: 0, address_list: 'http://c:9999/' },
    ],
  });
  const { warnings } = await importXxlJobs(ring, text);
  expect(jobs[0]).toMatchObject({ owner: 'Xu' });
  expect(warnings).toEqual([
    { xxlId: null, message: expect.stringMatching(/title of the group app .*Reports/) },
    {
      xxlId: null,
      message: expect.stringMatching(/manual addresses of the group app .*http:\/\/a:9999\/,http:\/\/b:9999\//),
    },
    { xxlId: 1, message: expect.stringMatching(/alarm_email ops@example\.com/) },
    { xxlId: 1, message: expect.stringMatching(/tenant .*7/) },
  ]);
});
