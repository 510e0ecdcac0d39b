import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { ids } from '@corral/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { chunksOverChannel } from '../../../test/call-in-chunks.ts';
import { password, refusalScene, type RefusalScene } from '../../../test/refusal-scene.ts';

const name = 'devices_QueryDeviceProperties';
let at: RefusalScene;
let other: string;
beforeAll(async () => {
  at = await refusalScene();
  const { hub } = at.transports;
  await sql`
    insert into device_properties (device_id, name, value, is_protected, updated_at)
    select ${ids.device.raw(at.id('device') as never)}, 'large ' || i, to_jsonb(repeat('x', 1048000)), false, now()
    from generate_series(1, 7) i`.execute(hub.database.db);
  await hub.user('second@example.org', { isAdmin: true, password });
  other = await hub.signIn('second@example.org', password);
}, 60_000);
afterAll(() => at[Symbol.asyncDispose]());

/** Asks for a page of 6 MiB and reads no body of the answer. */
function ask(cookie: string, agent: Agent | false = false) {
  const url = `${at.transports.hub.url}/api/v1/actions/invoke/${name}`;
  const headers = { cookie, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
  const asked = request(url, { method: 'POST', headers, agent }).on('error', () => {});
  const call = { answer: undefined as IncomingMessage | undefined, leave: () => void asked.destroy() };
  asked.once('response', (answer: IncomingMessage) => (call.answer = answer));
  asked.end(JSON.stringify({ deviceId: at.id('device') }));
  return call;
}

async function bytesOf(answer: IncomingMessage): Promise<number> {
  let bytes = 0;
  answer.on('data', (chunk: Buffer) => (bytes += chunk.length));
  await once(answer, 'end');
  return bytes;
}

async function answerOf(call: ReturnType<typeof ask>): Promise<IncomingMessage> {
  await vi.waitFor(() => expect(call.answer).toBeDefined());
  return call.answer as IncomingMessage;
}

test('a caller who does not take large answers gets no further ones, and others do', async () => {
  const unread: ReturnType<typeof ask>[] = [];
  // The system takes some answers whole, into the buffers of their connections.
  const askUntilRefused = async (): Promise<IncomingMessage> => {
    for (let count = 0; count < 40; count += 1) {
      const call = ask(at.owner);
      unread.push(call);
      const answer = await answerOf(call);
      if (answer.statusCode !== 200) return answer;
    }
    throw new Error('no answer was refused');
  };
  const { statusCode, headers } = await askUntilRefused();
  expect([statusCode, headers['retry-after']]).toEqual([503, '5']);
  expect(unread.length).toBeGreaterThan(7);
  expect(await bytesOf(await answerOf(ask(other)))).toBeGreaterThan(5_000_000);
  for (const call of unread) call.leave();
  await vi.waitFor(async () =>
    expect(await bytesOf(await answerOf(ask(at.owner)))).toBeGreaterThan(5_000_000),
  );
});

test('over a channel each large answer ends its share', async () => {
  const call = chunksOverChannel(at.link);
  const input = { deviceId: at.id('device') };
  const sizes = async () => (await call(name, input)).reduce((sum, { length }) => sum + length, 0);
  for (let count = 0; count < 4; count += 1) expect(await sizes()).toBeGreaterThan(5_000_000);
});

test('nothing is held of answers that were sent, neither by their connections nor by those to the database', async () => {
  setFlagsFromString('--expose-gc');
  const collectGarbage = runInNewContext('gc') as () => void;
  const buffersAfterCollection = () => {
    collectGarbage();
    return process.memoryUsage().arrayBuffers;
  };
  const agent = new Agent({ keepAlive: true });
  const before = buffersAfterCollection();
  const allTaken = async (): Promise<void> => {
    const calls = Array.from({ length: 6 }, () => ask(at.owner, agent));
    const sizes = await Promise.all(calls.map(async (call) => bytesOf(await answerOf(call))));
    expect(Math.min(...sizes)).toBeGreaterThan(5_000_000);
  };
  // The hub may still end the answers of the test before.
  await vi.waitFor(allTaken);
  // Connections are kept open for longer than that waits.
  await vi.waitFor(() => expect(buffersAfterCollection() - before).toBeLessThan(6_000_000));
  agent.destroy();
});
