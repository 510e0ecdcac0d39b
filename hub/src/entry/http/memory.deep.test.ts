import { once } from 'node:events';
import { connect } from 'node:net';
import type { Id } from '@corral/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { bytesLeftByEach } from '../../../test/heap-size.ts';
import { httpHub, type HttpHub } from '../../../test/http-hub.ts';
import { readLiveView } from '../../../test/live-reader.ts';

const password = 'quiet harbour lantern 7';
let hub: HttpHub;
let cookie: string;
let userId: Id<'user'>;
let projectId: string;

beforeAll(async () => {
  hub = await httpHub();
  ({ userId } = await hub.user('ada@example.org', { password }));
  cookie = await hub.signIn('ada@example.org', password);
  projectId = String((await invoke('projects_CreateProject', { name: 'Plant' })).json['projectId']);
});
afterAll(() => hub[Symbol.asyncDispose]());

const invoke = (name: string, input: object) => hub.invoke(name, input, { cookie });

/** So that the calls of a user who makes many mistakes do not wait. */
const forgetMistake = (): void => hub.advance(0.1);

/** What one operation may leave, in bytes. One whose request is kept leaves 2,400 and more; the rest of the heap varies from run to run by up to a thousand for each. */
const noise = 1_500;

test('calls leave nothing in memory', async () => {
  expect(await bytesLeftByEach(1_000, () => invoke('users_GetUserDetails', { userId }))).toBeLessThan(noise);
});

test('commands leave nothing in memory', async () => {
  const rename = (number: number) => invoke('projects_SetName', { projectId, name: `Plant ${number}` });
  expect(await bytesLeftByEach(600, rename)).toBeLessThan(noise);
});

test('calls whose client leaves while it sends leave nothing in memory', async () => {
  const { hostname, port } = new URL(hub.url);
  const head = `POST /api/v1/actions/invoke/actor_GetActor HTTP/1.1\r\nHost: ${hostname}\r\nSec-Fetch-Site: same-origin\r\n`;
  const body = `Cookie: ${cookie}\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n{"a":${'1'.repeat(30_000)}`;
  const part = Buffer.from(head + body);
  const breakOff = async (): Promise<void> => {
    forgetMistake();
    const socket = connect(Number(port), hostname);
    socket.write(part, () => socket.destroy());
    await once(socket, 'close');
  };
  expect(await bytesLeftByEach(600, breakOff)).toBeLessThan(noise);
});

test('ever different addresses leave nothing in memory', async () => {
  const ask = (number: number) => {
    forgetMistake();
    return hub.call(`/${number}/${'x'.repeat(200)}`, { headers: { cookie } });
  };
  expect(await bytesLeftByEach(800, ask)).toBeLessThan(noise);
});

test('live views leave nothing in memory', async () => {
  const statuses = new Set<number>();
  const watch = async (): Promise<void> => {
    using reader = await readLiveView(hub, { cookie });
    statuses.add(reader.status);
  };
  expect(await bytesLeftByEach(400, watch)).toBeLessThan(noise);
  expect([...statuses]).toEqual([200]);
});

test('ever different filters leave nothing in memory', async () => {
  const statuses = new Set<number>();
  const search = async (number: number): Promise<void> => {
    const filter = `name:${number} or label.site${number}:north`;
    statuses.add((await invoke('projects_QueryProjectDevices', { projectId, filter })).status);
  };
  expect(await bytesLeftByEach(500, search)).toBeLessThan(noise);
  expect([...statuses]).toEqual([200]);
});
