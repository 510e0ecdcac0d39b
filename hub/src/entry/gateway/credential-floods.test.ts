import { randomBytes } from 'node:crypto';
import { type Id, ids, randomSymbols } from '@corral/contract';
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { deviceHeaders, newDevice } from '../../../test/device-client.ts';
import { commandLineHeaders, gatewayScene, type GatewayScene } from '../../../test/gateway-scene.ts';
import { heapBytesAfterGc } from '../../../test/heap-size.ts';
import { type RawAnswer, type RawOptions, rawUpgrade, RawWebSocket } from '../../../test/raw-web-socket.ts';
import { newFingerprint } from '../../../test/seed.ts';
import { createServer } from '../http/node-server.ts';

let scene: GatewayScene;
let nowMs: number;
beforeEach(async () => {
  // The clock does not advance by itself, so that no bucket refills.
  nowMs = 0;
  scene = await gatewayScene({
    nowMs: () => nowMs,
    createServer: () => createServer(undefined, (_request, response) => response.end()),
  });
});
afterEach(() => scene[Symbol.asyncDispose]());

/** The status of the answer to an upgrade; a connection that is open is ended. */
async function statusOf(headers: Record<string, string>, options?: RawOptions): Promise<number> {
  const answer = await rawUpgrade(scene.url, headers, options);
  if (!(answer instanceof RawWebSocket)) return answer.status;
  answer.socket.destroy();
  return 101;
}

/** Sends `count` upgrades, 20 at a time; returns how often each status came. */
async function statusesOf(
  count: number,
  headers: () => Record<string, string>,
  options?: RawOptions,
): Promise<Record<number, number>> {
  const counts: Record<number, number> = {};
  for (let sent = 0; sent < count; sent += 20) {
    const round = Array.from({ length: 20 }, () => statusOf(headers(), options));
    for (const status of await Promise.all(round)) counts[status] = (counts[status] ?? 0) + 1;
  }
  return counts;
}

const symbols = (count: number): string => randomSymbols(count, randomBytes);
const unknownToken = (): string => ids.userToken.of(symbols(66));
/** The same public part with another secret behind it. */
const withWrongSecret = (raw: string): string => raw.slice(0, 22) + symbols(raw.length - 22);

describe('unauthenticated upgrades', () => {
  test('of 31 KB each are not kept in memory', async () => {
    const attempt = () => ({ authorization: `Bearer ${' '.repeat(31_000)}${unknownToken()}` });
    await statusesOf(20, attempt);
    const before = heapBytesAfterGc();
    const statuses = await statusesOf(400, attempt);
    expect(statuses).toEqual({ 431: 400 });
    // Sockets that have just ended are freed some turns later; a kept header would stay for minutes.
    const kept = () => heapBytesAfterGc() - before;
    await expect.poll(kept).toBeLessThan(8 * 1_048_576);
  });

  test('with the public id of an owner and wrong secrets do not keep the owner out', async () => {
    const { headers } = await scene.userHeaders();
    const raw = ids.userToken.raw(headers['x-user-token'] as Id<'userToken'>);
    const wrong = () => commandLineHeaders(ids.userToken.of(withWrongSecret(raw)));
    expect(await statusesOf(200, wrong)).toEqual({ 401: 200 });
    expect(await statusOf(headers)).toBe(101);
  });

  test('with the public id of a device and wrong secrets do not keep the device out', async () => {
    const device = await newDevice();
    const headers = deviceHeaders(device, scene.token);
    expect(await statusOf(headers)).toBe(101);
    const raw = ids.deviceFingerprint.raw(device.fingerprint);
    const wrong = () => ({
      ...headers,
      'x-device-fingerprint': ids.deviceFingerprint.of(withWrongSecret(raw)),
    });
    expect(await statusesOf(200, wrong)).toEqual({ 401: 200 });
    expect(await statusOf(headers)).toBe(101);
  });

  test('are sampled in the log', async () => {
    expect(await statusesOf(100, () => commandLineHeaders(unknownToken()))).toEqual({ 401: 100 });
    expect(scene.logged.filter((line) => line === 'a connection was refused')).toHaveLength(10);
  });

  test.each([
    ['without credentials', () => ({}), '400'],
    ['with a malformed token', () => commandLineHeaders('u_sk_short'), '401'],
  ])('%s are counted like those with wrong secrets', async (_what, headers, status) => {
    const from = { localAddress: '127.0.0.3' };
    const known = deviceHeaders(await newDevice(), scene.token);
    expect(await statusOf(known, from)).toBe(101);
    expect(await statusesOf(400, headers, from)).toEqual({ [status]: 300, 429: 100 });
    expect(await statusOf(commandLineHeaders(unknownToken()), from)).toBe(429);
    expect(await statusOf(known, from)).toBe(101);
    expect(await statusOf(headers())).toBe(Number(status));
  });
});

describe('upgrades with good credentials', () => {
  test('of devices of a project with too many pending certificates do not count as wrong ones of their network', async () => {
    const { token } = await scene.newToken(false);
    await sql`
      with device as (
        insert into devices (device_id, project_id, fingerprint_id, fingerprint_hash, metadata, created_at)
        values ('many', ${ids.project.raw(scene.projectId)}, 'many', '', '{}', now()) returning device_id, created_at)
      insert into device_certificates (certificate_id, device_id, fingerprint, status, created_at)
      select 'pending ' || number, device_id, 'pending ' || number, 'Pending', created_at
      from device, generate_series(1, 10000) as number`.execute(scene.hub.database.db);
    const { certificate } = await newDevice();
    const from = { localAddress: '127.0.0.2' };
    const fresh = () => deviceHeaders({ fingerprint: newFingerprint(), certificate }, token);
    const statuses = await statusesOf(320, fresh, from);
    expect(statuses[400]).toBeGreaterThanOrEqual(300);
    expect(await statusOf(deviceHeaders(await newDevice(), scene.token), from)).toBe(101);
  });

  test('of many tokens of a user whose links are all taken use up what that user may connect, and nothing of others', async () => {
    const owned = await Promise.all(Array.from({ length: 4 }, () => scene.userHeaders()));
    const [first, second, ...others] = owned.map(({ headers }) => headers);
    const open: RawWebSocket[] = [];
    for (const headers of [first!, second!])
      for (let count = 0; count < 64; count += 1)
        open.push((await rawUpgrade(scene.url, headers)) as RawWebSocket);
    let turn = 0;
    const attempts = () => others[(turn += 1) % 2]!;
    expect(await statusesOf(160, attempts)).toEqual({ 429: 160 });
    await statusesOf(20, attempts);
    const refused = (await rawUpgrade(scene.url, attempts())) as RawAnswer;
    expect(refused).toMatchObject({ status: 429, body: expect.stringContaining('This user connects too') });
    const other = await scene.hub.user('other@example.org');
    const { token } = await scene.hub.as(other, 'users_CreateUserToken', {
      userId: other.userId,
      name: 'cli',
    });
    expect(await statusOf(commandLineHeaders(token))).toBe(101);
    for (const { socket } of open) socket.destroy();
  });
});

describe('a device that connects again and again', () => {
  test('while its certificate is pending is logged once, and hourly from then on', async () => {
    const { token } = await scene.newToken(false);
    const [first, second] = [await newDevice(), await newDevice()].map((device) =>
      deviceHeaders(device, token),
    );
    const logged = () => scene.logged.filter((line) => line === 'a connection was refused').length;
    for (let attempt = 0; attempt < 4; attempt += 1) expect(await statusOf(first!)).toBe(403);
    expect(logged()).toBe(1);
    expect(await statusOf(second!)).toBe(403);
    expect(logged()).toBe(2);
    nowMs += 3_600_000;
    for (let attempt = 0; attempt < 4; attempt += 1) expect(await statusOf(first!)).toBe(403);
    expect(logged()).toBe(3);
  });
});
