import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { createManualClock } from '@horae/clock-store/testing';
import type { Mail } from '../src/handlers.js';
import { shopServer } from '../src/server.js';
import { openShop } from '../src/shop.js';

async function open(t: TestContext, deliver: (mail: Mail, key: string) => void = () => {}) {
  const clock = createManualClock({ now: '2026-03-02T07:00:00Z' });
  const shop = await openShop({ database: process.env.DATABASE_URL ?? 'sqlite::memory:', clock, deliver });
  t.after(() => shop.stop());
  return { clock, shop };
}

test('an order is stored together with its mail, which is sent', async (t) => {
  const sent: string[] = [];
  const { clock, shop } = await open(t, ({ to, subject }) => sent.push(`${to}: ${subject}`));
  const order = await shop.order({ email: 'ada@example.org', item: 'lamp' });
  await clock.advanceBy(2_000);
  assert.deepEqual(sent, ['ada@example.org: Your order: lamp']);
  assert.equal((await shop.find(order.id))?.mail, 'succeeded');
});

test('a mail server that fails is tried again, with the same key', async (t) => {
  const keys: string[] = [];
  const { clock, shop } = await open(t, (_, key) => {
    keys.push(key);
    if (keys.length < 3) throw new Error('not now');
  });
  await shop.order({ email: 'ada@example.org', item: 'lamp' });
  await clock.advanceBy(20_000);
  assert.equal(keys.length, 3);
  assert.equal(new Set(keys).size, 1);
});

test('an address that is none is refused, and leaves no order', async (t) => {
  const { shop } = await open(t);
  const server = shopServer(shop).listen(0, '127.0.0.1');
  t.after(() => server.close());
  await once(server, 'listening');
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/orders`;
  const post = (body: unknown) => fetch(url, { method: 'POST', body: JSON.stringify(body) });
  const refused = await post({ email: 'nowhere', item: 'lamp' });
  assert.equal(refused.status, 400);
  assert.match(await refused.text(), /params\.to/);
  const { id } = (await (await post({ email: 'ada@example.org', item: 'lamp' })).json()) as { id: string };
  assert.equal((await fetch(`${url}/${id}`)).status, 200);
});

test('the digest goes out on the next working day at eight', async (t) => {
  const sent: string[] = [];
  const { clock } = await open(t, ({ subject }) => sent.push(subject));
  await clock.jumpTo('2026-03-02T07:59:50Z');
  await clock.advanceTo('2026-03-02T08:00:05Z');
  assert.deepEqual(sent, ['0 orders so far']);
});
