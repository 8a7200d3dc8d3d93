import { describe, expect, test } from 'vitest';
import { guardProblem } from './guard.js';

const options = { token: 'secret', hostNames: ['127.0.0.1', 'localhost', '[::1]'] };
const judge = (method: string, headers: Record<string, string>, path = '/api/x') =>
  guardProblem({ method, path, header: (name) => headers[name] }, options)?.code ?? 'fine';
const good = { host: '127.0.0.1:4400', 'x-horae-token': 'secret', 'content-type': 'application/json' };

describe('the guard', () => {
  test.each([
    { story: 'lets the page read', method: 'GET', headers: { host: 'localhost:4400' }, verdict: 'fine' },
    { story: 'knows loopback of IPv6', method: 'GET', headers: { host: '[::1]:4400' }, verdict: 'fine' },
    { story: 'does not mind capital letters', method: 'GET', headers: { host: 'LocalHost:4400' }, verdict: 'fine' },
    { story: 'refuses a missing host', method: 'GET', headers: {}, verdict: 'foreign-host' },
    {
      story: 'refuses a host that only begins well',
      method: 'GET',
      headers: { host: 'localhost.evil:1' },
      verdict: 'foreign-host',
    },
    { story: 'lets the page change', method: 'POST', headers: good, verdict: 'fine' },
    {
      story: 'takes no empty token',
      method: 'POST',
      headers: { ...good, 'x-horae-token': '' },
      verdict: 'token-missing',
    },
    {
      story: 'takes no longer token',
      method: 'POST',
      headers: { ...good, 'x-horae-token': 'secrets' },
      verdict: 'token-missing',
    },
    { story: 'asks for JSON', method: 'POST', headers: { ...good, 'content-type': 'text/plain' }, verdict: 'not-json' },
    {
      story: 'refuses an opaque origin',
      method: 'POST',
      headers: { ...good, origin: 'null' },
      verdict: 'foreign-origin',
    },
    {
      story: 'refuses another port of the same host',
      method: 'POST',
      headers: { ...good, origin: 'http://127.0.0.1:9999' },
      verdict: 'foreign-origin',
    },
    {
      story: 'refuses sites of the same registrable name',
      method: 'GET',
      headers: { host: 'localhost', 'sec-fetch-site': 'same-site' },
      verdict: 'cross-site',
    },
  ])('$story', ({ method, headers, verdict }) => {
    expect(judge(method, headers as Record<string, string>)).toBe(verdict);
  });

  test('lets a link of another site lead to the page, but not to the API', () => {
    const headers = { host: 'localhost', 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' };
    expect(judge('GET', headers, '/')).toBe('fine');
    expect(judge('GET', headers, '/api/events')).toBe('cross-site');
  });
});
