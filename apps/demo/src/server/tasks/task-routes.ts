import { Hono } from 'hono';
import { z } from 'zod';
import { cronDialects } from '../../wire/cron.js';
import { BadRequest, readBody } from '../http/read-body.js';
import type { TaskClient } from './task-desk.js';

const behaviour = z.enum(['succeeds', 'fails', 'flaky']);
const name = z.string().min(1).max(80);
const declaration = z.object({
  tasks: z
    .array(
      z.object({
        name,
        cron: z.string().max(2_000),
        dialect: z.enum(cronDialects).default('posix'),
        retryDelayMs: z.number().finite().max(86_400_000),
        behaviour,
        worksMs: z.number().int().min(0).max(120_000),
      }),
    )
    .max(40),
});

/** The page's requests to the declarative scheduler. */
export function taskRoutes(desk: () => TaskClient | null): Hono {
  const present = () => {
    const found = desk();
    if (found === null) throw new BadRequest('Another process runs the tasks of this database file; open its page.');
    return found;
  };
  return new Hono()
    .post('/behaviour', async (context) => {
      const body = await readBody(context, z.object({ name, behaviour }));
      present().setBehaviour(body.name, body.behaviour);
      return context.json({});
    })
    .post('/declare', async (context) => {
      const { tasks } = await readBody(context, declaration);
      await present().declare(tasks);
      return context.json({});
    })
    .post('/pull-the-plug', async (context) => {
      await present().pullThePlug();
      return context.json({});
    })
    .get('/explain', (context) => {
      const at = Number(context.req.query('at'));
      if (!Number.isFinite(at)) throw new BadRequest('at: epoch milliseconds are wanted.');
      return context.json(present().explain(context.req.query('name') ?? '', at));
    });
}
