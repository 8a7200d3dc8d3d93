import { handler } from '@horae/time-ring';
import { z } from 'zod';

export const mailSchema = z.object({ to: z.email(), subject: z.string().min(1) });
export type Mail = z.output<typeof mailSchema>;

/** What a mail server takes; `key` is the same for every attempt at one mail, so that it can recognise a repetition. */
export type Deliver = (mail: Mail, key: string) => Promise<void> | void;

/** Everything that the queue can do, with the parameters of each. */
export const shopHandlers = (deliver: Deliver) => ({
  mail: handler(mailSchema, async ({ params, fireId, log }) => {
    await deliver(params, `mail-${fireId}`);
    log(`sent to ${params.to}`);
    return { sentTo: params.to };
  }),
});
