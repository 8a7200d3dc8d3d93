import { expect, test } from 'vitest';
import { DatabaseBusyError } from '../base/storage-errors.js';
import { translateServerError } from './server-faults.js';

const fault = (facts: object, message = 'said the server') => Object.assign(new Error(message), facts);

test.each([
  { story: 'a failed serialisation of PostgreSQL', error: fault({ code: '40001' }), code: 'database-busy' },
  { story: 'a deadlock of PostgreSQL', error: fault({ code: '40P01' }), code: 'database-busy' },
  { story: 'a deadlock of MySQL', error: fault({ code: 'ER_LOCK_DEADLOCK', errno: 1213 }), code: 'database-busy' },
  {
    story: 'a lock timeout of MySQL',
    error: fault({ code: 'ER_LOCK_WAIT_TIMEOUT', errno: 1205 }),
    code: 'database-busy',
  },
  { story: 'a wrong password of PostgreSQL', error: fault({ code: '28P01' }), code: 'database-credentials' },
  { story: 'a wrong password of MySQL', error: fault({ errno: 1045 }), code: 'database-credentials' },
  { story: 'a missing database of PostgreSQL', error: fault({ code: '3D000' }), code: 'database-missing' },
  { story: 'a missing database of MySQL', error: fault({ errno: 1049 }), code: 'database-missing' },
  { story: 'a full disk of PostgreSQL', error: fault({ code: '53100' }), code: 'disk-full' },
  { story: 'a full table of MySQL', error: fault({ errno: 1114 }), code: 'disk-full' },
  { story: 'a refused connection', error: fault({ code: 'ECONNREFUSED' }), code: 'database-unreachable' },
  {
    story: 'a host with two addresses that both refuse',
    error: new AggregateError([fault({ code: 'ECONNREFUSED' }), fault({ code: 'ECONNREFUSED' })]),
    code: 'database-unreachable',
  },
  { story: 'a server that shuts down', error: fault({ code: '57P01' }), code: 'database-unreachable' },
  {
    story: 'a lost connection of MySQL',
    error: fault({ code: 'PROTOCOL_CONNECTION_LOST' }),
    code: 'database-unreachable',
  },
  {
    story: 'a terminated connection of pg',
    error: fault({}, 'Connection terminated unexpectedly'),
    code: 'database-unreachable',
  },
  {
    story: 'a closed pool',
    error: fault({}, 'Cannot use a pool after calling end on the pool'),
    code: 'database-closed',
  },
  { story: 'a full server of PostgreSQL', error: fault({ code: '53300' }), code: 'too-many-connections' },
  { story: 'a full server of MySQL', error: fault({ errno: 1040 }), code: 'too-many-connections' },
  { story: 'a full user of MySQL', error: fault({ errno: 1226 }), code: 'too-many-connections' },
  {
    story: 'a standby of PostgreSQL',
    error: fault({ code: '25006' }, 'cannot execute INSERT in a read-only transaction'),
    code: 'server-read-only',
  },
  {
    story: 'a read-only MySQL',
    error: fault({ errno: 1290 }, 'running with the --read-only option'),
    code: 'server-read-only',
  },
  { story: 'a member without a majority', error: fault({ errno: 1047 }), code: 'cluster-not-ready' },
  { story: 'a commit that fails', error: fault({ errno: 1180 }), code: 'commit-failed' },
  { story: 'a statement over its limit', error: fault({ code: '57014' }), code: 'statement-timeout' },
  { story: 'an idle transaction over its limit', error: fault({ code: '25P03' }), code: 'transaction-timeout' },
  {
    story: 'a server without encryption',
    error: fault({}, 'The server does not support SSL connections'),
    code: 'database-tls',
  },
  {
    story: 'a pooler that refuses a schema',
    error: fault({ code: '08P01' }, 'unsupported startup parameter in options: search_path'),
    code: 'bad-database-url',
  },
])('$story is $code', ({ error, code }) => {
  const translated = translateServerError(error, 'postgres://ann:***@db/app');
  expect(translated).toMatchObject({ code, details: { url: 'postgres://ann:***@db/app' }, cause: error });
  expect((translated as Error).message).toContain('postgres://ann:***@db/app');
});

test.each([
  { story: 'a broken constraint', error: fault({ code: '23505' }) },
  {
    story: 'another option that prevents a statement',
    error: fault({ errno: 1290 }, 'running with the --secure-file-priv option'),
  },
  { story: 'a mistake in the SQL', error: fault({ errno: 1064 }) },
  { story: 'something that is no error', error: 'text' },
  { story: 'a typed error', error: new DatabaseBusyError('busy', { url: 'x', attempts: 1, waitedMs: 0 }) },
])('$story stays what it is', ({ error }) => {
  expect(translateServerError(error, 'postgres://db/app')).toBe(error);
});
