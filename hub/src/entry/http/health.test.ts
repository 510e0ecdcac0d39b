import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { httpHub } from '../../../test/http-hub.ts';

test('reports liveness and readiness', async () => {
  await using hub = await httpHub();
  expect(await hub.call('/healthz')).toMatchObject({ status: 200, text: 'ok\n' });
  expect(await hub.call('/readyz')).toMatchObject({ status: 200, text: 'ready\n' });
  hub.setReady(false);
  const answer = await hub.call('/readyz');
  expect(answer).toMatchObject({ status: 503, text: 'The hub is not ready.\n' });
  expect(answer.headers).toMatchObject({ 'retry-after': '1', 'cache-control': 'no-store' });
  expect((await hub.call('/healthz')).status).toBe(200);
  hub.setReady(() => Promise.reject(new Error('the database is away')));
  expect((await hub.call('/readyz')).status).toBe(503);
});

test('a hub that is ready may have something to say', async () => {
  await using hub = await httpHub({ readyNotice: () => 'NATS cannot be reached.' });
  expect(await hub.call('/readyz')).toMatchObject({ status: 200, text: 'ready\nNATS cannot be reached.\n' });
  hub.setReady(false);
  expect((await hub.call('/readyz')).text).toBe('The hub is not ready.\n');
});

test('a proxy that names no address of its clients is logged once and noticed, one that adds a port is not', async () => {
  const env = {
    CORRAL_TRUSTED_PROXIES: '127.0.0.1',
    CORRAL_TRUSTED_PROXY_HEADER: 'true',
    CORRAL_DEVICE_CERTIFICATE_HEADER: 'off',
  };
  await using hub = await httpHub({ env, readyNotice: () => 'NATS cannot be reached.' });
  const guess = (forwardedFor: string) =>
    hub.post(
      '/api/private/login',
      { email: 'ada@example.org', password: 'wrong' },
      {
        'x-forwarded-for': forwardedFor,
      },
    );
  expect((await guess('203.0.113.7:41000')).status).toBe(401);
  expect((await hub.call('/readyz')).text).toBe('ready\nNATS cannot be reached.\n');
  await guess('unknown');
  await guess('hidden');
  const sentence = /A trusted proxy sent X-Forwarded-For without an address of the client/g;
  expect(hub.logged().match(sentence)).toHaveLength(1);
  expect(hub.logged()).toContain('"address":"unknown"');
  expect((await hub.call('/readyz')).text).toMatch(/^ready\nNATS.*\nA trusted proxy sent .*\n$/);
});

test('a hub that stops waits no longer for a request than it may', async () => {
  await using hub = await httpHub();
  const { port } = new URL(hub.url);
  const socket = connect(Number(port), '127.0.0.1');
  socket.write(
    `POST /api/private/login HTTP/1.1\r\nhost: 127.0.0.1:${port}\r\ncontent-type: application/json\r\nsec-fetch-site: same-origin\r\ncontent-length: 10\r\n\r\n{`,
  );
  await once(hub.http.server, 'request');
  const beganAtMs = performance.now();
  await hub.http.close(200);
  expect(performance.now() - beganAtMs).toBeLessThan(5_000);
  socket.destroy();
});

test('counts actions and requests for callers with access', async () => {
  await using hub = await httpHub();
  await hub.invoke('actor_GetActor', {});
  await hub.invoke('projects_QueryProjects', {});
  const { text, headers } = await hub.call('/metrics');
  expect(headers['content-type']).toMatch(/^text\/plain/);
  expect(text).toContain('corral_action_seconds_count{action="actor_GetActor",outcome="Ok"} 1');
  expect(text).toContain(
    'corral_action_seconds_count{action="projects_QueryProjects",outcome="NotSignedIn"} 1',
  );
  expect(text).toContain(
    'corral_http_requests_total{method="POST",route="/api/v1/actions/invoke/:name",status="200"} 1',
  );
  expect(text).toMatch(/process_resident_memory_bytes \d+/);
  for (const name of [
    'x-forwarded-for',
    'x-forwarded-proto',
    'forwarded',
    'via',
    'x-real-ip',
    'cf-connecting-ip',
  ])
    expect((await hub.call('/metrics', { headers: { [name]: '127.0.0.1' } })).status).toBe(403);
});

test('shows metrics at the names of the hub only, not at a name that an attacker resolves to it', async () => {
  await using hub = await httpHub();
  for (const host of ['attacker.example', 'hub.attacker.example:8080'])
    expect((await hub.call('/metrics', { headers: { host } })).status).toBe(421);
  expect((await hub.call('/metrics', { headers: { host: 'localhost' } })).status).toBe(200);
});

test('shows metrics to the configured addresses only', async () => {
  await using hub = await httpHub({ env: { CORRAL_METRICS_FROM: '10.0.0.0/8' } });
  const answer = await hub.call('/metrics');
  expect(answer.status).toBe(403);
  expect(answer.text).not.toContain('corral_');
});

test('shows metrics to nobody by default where a proxy on the same machine cannot be told from it', async () => {
  const env = { CORRAL_PUBLIC_URL: 'https://hub.example', CORRAL_TRUSTED_PROXIES: '10.0.0.1' };
  for (const more of [{}, { CORRAL_TRUSTED_PROXIES: '127.0.0.1' }]) {
    await using hub = await httpHub({ env: { ...env, ...more } });
    expect((await hub.call('/metrics')).status).toBe(403);
  }
  await using hub = await httpHub({ env: { ...env, CORRAL_METRICS_FROM: '127.0.0.1' } });
  expect((await hub.call('/metrics')).status).toBe(200);
});
