import { expect, test } from 'vitest';
import { onEveryDatabase } from '../support/network-databases.js';
import { eventually, heldHandler, networkStage, remoteExecutor } from '../support/network-stage.js';
import { rawRequest } from '../support/raw-request.js';

onEveryDatabase(() => {
  test('the admin API drives a real ring: add, trigger, watch, kill, log, page, remove', async () => {
    const { url, registered, accepted } = await networkStage();
    const { handler, begun } = heldHandler();
    await remoteExecutor({ ring: url, handlers: { held: handler, quick: ({ log }) => log('hello') } });
    await registered(1);
    const ask = async (method: string, path: string, body?: unknown) => {
      const headers = body === undefined ? {} : { 'content-type': 'application/json' };
      const answer = await rawRequest(url, {
        method,
        path,
        headers,
        body: body === undefined ? undefined : JSON.stringify(body),
      });
      return { status: answer.status, body: answer.text === '' ? undefined : JSON.parse(answer.text) };
    };
    const quick = (await ask('POST', '/admin/jobs', { name: 'quick', handler: 'quick', schedule: { kind: 'none' } }))
      .body;
    const held = (
      await ask('POST', '/admin/jobs', {
        name: 'held',
        handler: 'held',
        schedule: { kind: 'fix-rate', everyMs: 3_600_000 },
      })
    ).body;
    expect((await ask('POST', `/admin/jobs/${held.id}/start`, {})).body).toMatchObject({
      state: 'RUNNING',
      nextAt: expect.any(Number),
    });
    expect((await ask('POST', `/admin/jobs/${quick.id}/start`, {})).status).toBe(409);
    expect((await ask('PATCH', `/admin/jobs/${quick.id}`, { children: [quick.id] })).status).toBe(409);
    expect((await ask('PATCH', `/admin/jobs/${quick.id}`, { children: [999] })).status).toBe(400);
    expect((await ask('PATCH', '/admin/jobs/999', { retries: 1 })).status).toBe(404);

    const { body: run } = await ask('POST', `/admin/jobs/${held.id}/trigger`, { params: 5 });
    await begun(run.id);
    await accepted(run.id);
    expect((await ask('POST', `/admin/runs/${run.id}/kill`, {})).body).toEqual({ killed: true });
    expect((await ask('POST', `/admin/runs/${run.id}/kill`, {})).body).toEqual({ killed: false });
    expect((await ask('GET', `/admin/runs/${run.id}`)).body).toMatchObject({ state: 'killed', params: 5 });

    const ids: number[] = [];
    for (let time = 0; time < 5; time++) ids.push((await ask('POST', `/admin/jobs/${quick.id}/trigger`, {})).body.id);
    await eventually(async () =>
      expect((await ask('GET', `/admin/runs?jobId=${quick.id}&state=succeeded`)).body.runs).toHaveLength(5),
    );
    expect((await ask('GET', `/admin/runs/${ids[0]}/log?fromLine=0`)).body).toEqual({
      lines: ['hello'],
      nextLine: 1,
      end: true,
    });
    const seen: number[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const page: { runs: { id: number }[]; cursor: string | null } = (
        await ask(
          'GET',
          `/admin/runs?jobId=${quick.id}&limit=2${cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`}`,
        )
      ).body;
      seen.push(...page.runs.map(({ id }) => id));
      cursor = page.cursor;
    }
    expect(seen).toEqual([...ids].reverse());
    expect((await ask('GET', '/admin/jobs?limit=1')).body).toMatchObject({
      jobs: [{ id: quick.id }],
      cursor: expect.any(String),
    });
    expect((await ask('GET', '/admin/jobs?cursor=nonsense')).status).toBe(400);
    expect((await ask('GET', '/admin/executors?group=default')).body.executors).toHaveLength(1);
    expect((await ask('DELETE', `/admin/jobs/${quick.id}`)).status).toBe(204);
    expect((await ask('DELETE', `/admin/jobs/${quick.id}`)).status).toBe(404);
    expect(
      (
        await ask('POST', '/admin/import', {
          text: '[{"id":1,"job_group":1,"job_desc":"d","executor_handler":"h","job_cron":"0 0 0 * * ?","trigger_status":1}]',
        })
      ).body,
    ).toMatchObject({ imported: [{ xxlId: 1 }], skipped: [] });
    const metrics = (await rawRequest(url, { path: '/admin/metrics' })).text;
    expect(metrics).toMatch(/^horae_ring_succeeded_total 5$/m);
    expect(metrics).toMatch(/^horae_ring_killed_total 1$/m);
  });

  test('events come over HTTP as they happen', async () => {
    const { ring, url, job, ended, registered } = await networkStage();
    const abort = new AbortController();
    const response = await fetch(`${url}/admin/events`, { signal: abort.signal });
    let text = '';
    const reading = (async () => {
      for await (const chunk of response.body!) text += Buffer.from(chunk).toString();
    })().catch(() => {});
    await remoteExecutor({ ring: url, handlers: { work: () => 'fine' } });
    await registered(1);
    const { id } = await job({});
    const run = await ring.jobs.trigger(id);
    await ended(run.id);
    await eventually(() => {
      for (const name of ['executor-registered', 'job-added', 'run-started', 'run-succeeded', 'pass-completed']) {
        expect(text).toContain(`event: ${name}\ndata: {`);
      }
    });
    abort.abort();
    await reading;
  });

  test('a stopped ring closes its port', async () => {
    const { ring, url } = await networkStage();
    await ring.stop();
    await expect(rawRequest(url, { path: '/admin/health' })).rejects.toThrow();
  });
});
