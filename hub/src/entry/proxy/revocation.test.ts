import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Id } from '@corral/contract';
import {
  proxiedDevice,
  type Person,
  type ProxiedDevice,
  type ProxiedPort,
} from '../../../test/proxied-device.ts';
import { justProved } from '../../../test/just-proved.ts';

let device: ProxiedDevice;
let devicePort: number;
/** The responses of the device that do not end by themselves. */
const started: ServerResponse[] = [];
/** A member of the project, new in each test, and the page for this member. */
let member: Person;
let page: ProxiedPort;

beforeAll(async () => {
  device = await proxiedDevice();
  devicePort = await device.serve((request, response) => {
    if (request.url === '/') return response.end('here');
    response.writeHead(200);
    response.write('live');
    started.push(response);
  });
});
afterAll(() => device[Symbol.asyncDispose]());
beforeEach(async ({ task }) => {
  member = await device.newMember(`${task.id}@example.org`);
  page = await device.enterBy(await device.issue(member, { port: devicePort }));
});

/** Revokes the access and returns how long an open stream lived on, in milliseconds. */
async function abortsAfter(revoke: () => Promise<unknown>): Promise<number> {
  const live = await page.open('/live');
  await once(live, 'data');
  const cut = new Promise((resolve) => live.on('error', () => undefined).once('close', resolve));
  await revoke();
  const since = performance.now();
  await cut;
  return performance.now() - since;
}

const asOwner = () =>
  ({ actor: { actor: 'User', kind: 'User', userId: device.owner.userId }, origin: justProved }) as const;

async function expectRevoked(): Promise<void> {
  const answer = await page.ask('/', { headers: { accept: 'text/html' } });
  expect([answer.status, answer.headers['x-corral-failure']]).toEqual([403, 'withdrawn']);
  expect(answer.headers['clear-site-data']).toBe('"cache", "cookies", "storage"');
  expect(answer.headers['set-cookie']?.[0]).toContain('__Host-proxy=; Max-Age=0');
}

test('removing a member aborts open streams within five seconds', async () => {
  const { executor } = device.transports.hub;
  const { projectId } = device;
  const leave = () =>
    executor.invoke(asOwner(), 'projects_RemoveProjectMember', { projectId, userId: member.userId });
  expect(await abortsAfter(leave)).toBeLessThan(5_000);
  await expectRevoked();
});

test('the accesses of all open streams are rechecked', async () => {
  const url = await device.issue(member, { port: devicePort, validForSecs: 600 });
  const pages = [await device.enterBy(url)];
  for (const who of [member, device.owner, device.owner, device.owner])
    pages.push(await device.enterBy(await device.issue(who, { port: devicePort })));
  const streams = await Promise.all(pages.map((opened) => opened.open('/live')));
  const aborted = streams.map(
    (stream) =>
      new Promise((resolve) =>
        stream
          .on('error', () => undefined)
          .once('close', resolve)
          .resume(),
      ),
  );
  await device.transports.hub.database.db
    .deleteFrom('project_members')
    .where('is_owner', '=', false)
    .execute();
  await Promise.all(aborted.slice(0, 2));
  expect(streams.slice(2).every(({ destroyed }) => !destroyed)).toBe(true);
  for (const stream of streams) stream.destroy();
});

test('deleting a user token ends the accesses that it issued, and no other', async () => {
  const { hub } = device.transports;
  const asMember = {
    actor: { actor: 'User', kind: 'User', userId: member.userId },
    origin: justProved,
  } as const;
  const { token, tokenId } = await hub.executor.invoke(asMember, 'users_CreateUserToken', {
    userId: member.userId,
  });
  const byToken = await hub.call('/api/v1/actions/invoke/devices_IssueDeviceHttpProxyToken', {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: { deviceId: device.deviceId, port: 81 },
  });
  const opened = await device.enterBy(new URL(String(byToken.json['url'])));
  expect((await opened.ask('/')).headers['x-corral-failure']).toBe('refused');
  await hub.executor.invoke(asMember, 'users_DeleteUserToken', { tokenId: tokenId as Id<'userTokenId'> });
  expect((await opened.ask('/')).headers['x-corral-failure']).toBe('withdrawn');
  expect((await page.ask('/')).text).toBe('here');
});

test('an expired access is reported as expired', async () => {
  const port = Number((await device.issue(member)).port);
  expect(port).toBeGreaterThan(0);
  device.transports.hub.advance(3_601);
  const { headers } = await page.ask('/', { headers: { accept: 'text/html' } });
  expect(headers['x-corral-failure']).toBe('expired');
  expect(headers['clear-site-data']).toBeUndefined();
});

test('without a database, open streams continue for a while and new requests get 503', async () => {
  const live = await page.open('/live');
  await once(live, 'data');
  await device.transports.hub.database.db.destroy();
  await expect.poll(async () => (await page.ask('/')).headers['x-corral-failure']).toBe('notReady');
  started.at(-1)?.end('still');
  expect(String(((await once(live, 'data')) as [Buffer])[0])).toBe('still');
});
