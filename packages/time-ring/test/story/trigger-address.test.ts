import { describe, expect, test } from 'vitest';
import { faultDatabases } from '../support/fault-databases.js';
import { loopbackServer, reply } from '../support/loopback-server.js';
import { networkStage, remoteExecutor } from '../support/network-stage.js';
import { postJson } from '../support/raw-request.js';

describe.each(faultDatabases)('on $name', ({ open }) => {
  test('a run is sent only to an address that an executor has registered, and the token to no other', async ({
    skip,
  }) => {
    const database = await open();
    if (database === 'unavailable') return skip('MariaDB is not installed here');
    const http = { port: 0, accessToken: 'secret' };
    const { ring, url, job, ended, registered } = await networkStage({ database, http });
    const stranger = await loopbackServer((_call, response) => reply(response, { code: 200 }));
    const executor = await remoteExecutor({ ring: url, accessToken: 'secret', handlers: { work: () => 'done' } });
    await registered(1);
    const { id } = await job();

    await expect(ring.jobs.trigger(id, { address: stranger.url })).rejects.toMatchObject({
      code: 'unknown-executor',
      details: { field: 'address', value: stranger.url },
    });
    const answer = await postJson(
      url,
      `/admin/jobs/${id}/trigger`,
      { address: stranger.url },
      { authorization: 'Bearer secret' },
    );
    expect([answer.status, answer.body.error.code]).toEqual([400, 'unknown-executor']);
    expect((await ring.runs.list()).runs).toEqual([]);

    const run = await ring.jobs.trigger(id, { address: `${executor.address}/` });
    expect(await ended(run.id)).toMatchObject({ state: 'succeeded', address: executor.address });
    expect(stranger.calls).toEqual([]);
  });
});
