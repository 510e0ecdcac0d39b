import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { freshExecutor } from '../../../../test/fresh-executor.ts';
import { outgoingRule } from '../../../config/outgoing-addresses.ts';
import { openOutgoing } from '../../../platform/outgoing/open-outgoing.ts';
import { callHeartbeat } from './call-heartbeat.ts';

async function scene() {
  const hub = await freshExecutor();
  onTestFinished(() => hub[Symbol.asyncDispose]());
  const answer = { status: 200 };
  const calls: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    calls.push(`${request.method} ${request.url}`);
    response.writeHead(answer.status).end('words');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const outgoing = openOutgoing({ rule: outgoingRule([{ place: '127.0.0.1', port }]) });
  onTestFinished(async () => {
    await outgoing.close();
    server.closeAllConnections();
    server.close();
  });
  const at = `127.0.0.1:${port}`;
  const call = (url: string | undefined = `http://${at}/ping/secret`) =>
    callHeartbeat({ executor: hub.executor, outgoing, url: () => url });
  return { hub, at, answer, calls, call };
}

test('a healthy hub calls the heartbeat', async () => {
  const { calls, call } = await scene();
  await call();
  expect(calls).toEqual(['GET /ping/secret']);
});

test('a hub whose events wait does not call it, and says so', async () => {
  const { hub, calls, call } = await scene();
  await sql`insert into event_outbox (event_id, event, created_at) values ('old', '{}', ${hub.now()}::timestamptz - interval '61 seconds')`.execute(
    hub.database.db,
  );
  await expect(call()).rejects.toThrow('Events have waited for more than a minute');
  expect(calls).toEqual([]);
});

test('a call that fails says why without the path', async () => {
  const { at, answer, call } = await scene();
  answer.status = 500;
  await expect(call()).rejects.toThrow(new RegExp(`^${at} answered the heartbeat with the status 500\\.$`));
  await expect(call('http://10.0.0.1/ping/secret')).rejects.toThrow(/^10\.0\.0\.1 is not on the internet/);
});
