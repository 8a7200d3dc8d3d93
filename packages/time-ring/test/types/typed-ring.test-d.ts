import { expectTypeOf, test } from 'vitest';
import { z } from 'zod';
import { handler, type RunContext, type TimeRing, typedRing } from '../../src/index.js';

declare const ring: TimeRing;

const handlers = {
  'send-mail': handler(z.object({ to: z.string(), at: z.coerce.number<string>() }), async ({ params, attempt }) => {
    expectTypeOf(params).toEqualTypeOf<{ to: string; at: number }>();
    expectTypeOf(attempt).toEqualTypeOf<number>();
    return { sent: true };
  }),
  plain: async (_context: RunContext) => 5,
};
const client = typedRing(ring, handlers);

test('parameters are what the schema takes', () => {
  expectTypeOf(client.trigger<'send-mail'>)
    .parameter(1)
    .toHaveProperty('params')
    .toEqualTypeOf<{ to: string; at: string }>();
  client.trigger('send-mail', { params: { to: 'a', at: '1' }, delayMs: 5 });
  client.triggerMany('send-mail', [{ params: { to: 'a', at: '1' }, uniqueKey: 'k' }]);
  client.trigger('plain', {});
  // @ts-expect-error: a number is no address
  client.trigger('send-mail', { params: { to: 5, at: '1' } });
  // @ts-expect-error: what the schema makes is not what it takes
  client.trigger('send-mail', { params: { to: 'a', at: 1 } });
  // @ts-expect-error: the schema wants parameters
  client.trigger('send-mail', {});
  // @ts-expect-error: one of many is wrong
  client.triggerMany('send-mail', [{ params: { to: 'a', at: '1' } }, { params: { to: 'a' } }]);
  // @ts-expect-error: nobody has this name
  client.trigger('send-fax', { params: {} });
  // @ts-expect-error: there is no such field
  client.trigger('plain', { delay: 5 });
});

test('results are what the handler returns', async () => {
  const mail = await client.wait(await client.trigger('send-mail', { params: { to: 'a', at: '1' } }));
  expectTypeOf(mail.result).toEqualTypeOf<{ sent: boolean } | null>();
  expectTypeOf(mail.params).toEqualTypeOf<{ to: string; at: string }>();
  const plain = await client.trigger('plain', {});
  expectTypeOf(plain.result).toEqualTypeOf<number | null>();
  // @ts-expect-error: it is no text
  plain.result satisfies string | null;
});

test('a handler gets what its schema makes', () => {
  // @ts-expect-error: the output is a number
  handler(z.object({ at: z.coerce.number() }), ({ params }) => params.at satisfies string);
});
