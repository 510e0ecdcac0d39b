import { connect } from 'node:net';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { domainEvent, httpHub, staleCookie, system, type HttpHub } from '../../../../test/http-hub.ts';
import { readLiveView as read, type LiveMessage } from '../../../../test/live-reader.ts';

const password = 'correct horse battery';

describe('the live view', () => {
  let hub: HttpHub;
  let people: { userId: string; cookie: string }[];
  beforeAll(async () => {
    hub = await httpHub({ liveIntervals: { beatMs: 50, refreshMs: 60_000 } });
    const join = async (email: string, isAdmin: boolean) => {
      const { userId } = await hub.user(email, { password, isAdmin });
      return { userId, cookie: await hub.signIn(email, password) };
    };
    people = await Promise.all([
      join('ada@example.org', false),
      join('eve@example.org', false),
      join('root@example.org', true),
    ]);
  });
  afterAll(() => hub[Symbol.asyncDispose]());

  const person = (index: number) => people[index] ?? { userId: '', cookie: '' };
  const createProject = async (name: string, cookie: string) =>
    (await hub.invoke('projects_CreateProject', { name }, { cookie })).json['projectId'] as string;
  const createToken = (projectId: string, cookie: string) =>
    hub.invoke('projects_CreateDeploymentToken', { projectId, name: 'field' }, { cookie });

  test('sends the version and the interval of the beats first, then beats', async () => {
    using reader = await read(hub, { cookie: person(0).cookie });
    expect(reader.status).toBe(200);
    expect(reader.response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-corral-version': '1.2.3',
      'x-accel-buffering': 'no',
    });
    const hello = await reader.next({ version: '1.2.3', beatMs: 50, isResumed: false }, 'hello');
    expect(hello.id).toMatch(/^[0-9a-f]{12}-\d+$/);
    await reader.next({}, 'beat');
  });

  test.each(['', staleCookie])('requires a session, not "%.20s"', async (cookie) => {
    using reader = await read(hub, { cookie });
    expect(reader.status).toBe(401);
  });

  test('sends changes of a project to its members and to administrators only', async () => {
    const projectId = await createProject('Meadow', person(0).cookie);
    using member = await read(hub, { cookie: person(0).cookie });
    using stranger = await read(hub, { cookie: person(1).cookie });
    using administrator = await read(hub, { cookie: person(2).cookie });
    await createToken(projectId, person(0).cookie);
    await member.next({ topic: 'tokens', projectId });
    await member.next({ topic: 'log', projectId });
    await administrator.next({ topic: 'tokens', projectId });
    // The stranger's own change comes after the project's and shows that this was not merely late.
    await hub.invoke(
      'users_CreateUserToken',
      { userId: person(1).userId, name: 'a' },
      { cookie: person(1).cookie },
    );
    await stranger.next({ topic: 'tokens', userId: person(1).userId });
    expect(stranger.received.filter(({ data }) => data['projectId'] === projectId)).toEqual([]);
    expect(member.received.filter(({ data }) => data['userId'] === person(1).userId)).toEqual([]);
  });

  test('tells administrators what others change about users, jobs and commands', async () => {
    using administrator = await read(hub, { cookie: person(2).cookie });
    using stranger = await read(hub, { cookie: person(1).cookie });
    const { userId } = await hub.user('new@example.org');
    await administrator.next({ topic: 'users', userId });
    await administrator.next({ topic: 'log' });
    await hub.bus.publish([domainEvent('jobs_Cancelled', {}), domainEvent('cluster_NodesChanged', {})]);
    await administrator.next({ topic: 'jobs' });
    await stranger.next({ topic: 'cluster' });
    const topics = stranger.received.map(({ data }) => data['topic']);
    for (const topic of ['users', 'log', 'jobs']) expect(topics).not.toContain(topic);
  });

  test('follows changes of membership', async () => {
    const projectId = await createProject('Hills', person(0).cookie);
    using reader = await read(hub, { cookie: person(1).cookie });
    const membership = { projectId, userId: person(1).userId };
    await hub.executor.invoke(system, 'projects_AddProjectMember', membership as never);
    await reader.next({ topic: 'projects', userId: person(1).userId });
    await createToken(projectId, person(0).cookie);
    await reader.next({ topic: 'tokens', projectId });
    await hub.invoke('projects_RemoveProjectMember', membership, { cookie: person(0).cookie });
    await expect
      .poll(() => reader.received.filter(({ data }) => data['topic'] === 'projects').length)
      .toBe(2);
    const before = reader.received.length;
    using owner = await read(hub, { cookie: person(0).cookie });
    await createToken(projectId, person(0).cookie);
    await owner.next({ topic: 'tokens', projectId });
    expect(reader.received.slice(before).filter(({ data }) => data['projectId'] === projectId)).toEqual([]);
  });

  test('sends changes of a repository to its members, to those of linked projects, and to administrators only', async () => {
    const [owner, stranger, administrator] = [person(0), person(1), person(2)];
    const invoke = async (name: string, input: object, { cookie } = owner) =>
      (await hub.invoke(name, input, { cookie })).json;
    const { repositoryId } = await invoke('repositories_CreateRepository', { name: 'images' });
    const createPackage = (name: string) => invoke('repositories_CreatePackage', { repositoryId, name });
    const projectId = await createProject('Quarry', stranger.cookie);
    using member = await read(hub, { cookie: owner.cookie });
    using other = await read(hub, { cookie: stranger.cookie });
    using all = await read(hub, { cookie: administrator.cookie });
    const received = () => other.received.filter(({ data }) => data['repositoryId'] === repositoryId);
    await createPackage('one');
    await member.next({ topic: 'packages', repositoryId });
    await member.next({ topic: 'log', repositoryId });
    await all.next({ topic: 'packages', repositoryId });
    const link = { projectId, repositoryId };
    await hub.invoke('projects_AddProjectRepository', link, { cookie: administrator.cookie });
    await other.next({ topic: 'repositories', projectId });
    let made = 0;
    await expect
      .poll(async () => (await createPackage(`more-${(made += 1)}`), received().length))
      .toBeGreaterThan(0);
    await invoke('projects_RemoveProjectRepository', link, stranger);
    await expect
      .poll(async () => {
        const before = received().length;
        await createPackage(`last-${(made += 1)}`);
        // The reader's own change comes after the package's.
        const own = other.received.filter(({ data }) => data['topic'] === 'tokens').length;
        await invoke('users_CreateUserToken', { userId: stranger.userId }, stranger);
        await expect
          .poll(() => other.received.filter(({ data }) => data['topic'] === 'tokens').length)
          .toBeGreaterThan(own);
        return received().length - before;
      })
      .toBe(0);
    // The deletion of a linked project is a change of the repository.
    await hub.invoke('projects_AddProjectRepository', link, { cookie: administrator.cookie });
    const links = () =>
      member.received.filter(
        ({ data }) => data['topic'] === 'repositories' && data['repositoryId'] === repositoryId,
      );
    await expect.poll(() => links().length).toBe(3);
    await invoke('projects_DeleteProject', { projectId }, stranger);
    await expect.poll(() => links().length).toBe(4);
    await invoke('repositories_DeleteRepository', { repositoryId });
    await expect.poll(() => links().length).toBe(5);
  });

  test('informs the members when their project is deleted', async () => {
    const projectId = await createProject('Ditch', person(0).cookie);
    using reader = await read(hub, { cookie: person(0).cookie });
    await hub.invoke('projects_DeleteProject', { projectId }, { cookie: person(0).cookie });
    await reader.next({ topic: 'projects', projectId });
  });

  test('combines repeated changes into one message', async () => {
    const projectId = await createProject('Barn', person(0).cookie);
    using reader = await read(hub, { cookie: person(0).cookie });
    const properties = domainEvent('devices_PropertiesChanged', { projectId, deviceId: 'd_1' });
    await hub.bus.publish(Array.from({ length: 500 }, () => properties));
    const many = Array.from({ length: 500 }, (_, at) =>
      domainEvent('devices_EventsPublished', { projectId, deviceId: `d_${at}` }),
    );
    await hub.bus.publish(many);
    await reader.next({ topic: 'events' });
    const about = (topic: string) =>
      reader.received.filter(({ data }) => data['topic'] === topic).map(({ data }) => data);
    expect(about('properties')).toEqual([{ topic: 'properties', projectId, deviceId: 'd_1' }]);
    expect(about('events')).toEqual([{ topic: 'events', projectId }]);
  });

  test('continues after the last message that a reader received', async () => {
    const projectId = await createProject('Pond', person(0).cookie);
    let seen: LiveMessage;
    {
      using reader = await read(hub, { cookie: person(0).cookie });
      await hub.bus.publish([domainEvent('devices_NameChanged', { projectId, deviceId: 'd_1' })]);
      seen = await reader.next({ topic: 'devices', deviceId: 'd_1' });
    }
    using watching = await read(hub, { cookie: person(2).cookie });
    for (const deviceId of ['d_2', 'd_3']) {
      await hub.bus.publish([domainEvent('devices_NameChanged', { projectId, deviceId })]);
      await watching.next({ topic: 'devices', deviceId });
    }
    using back = await read(hub, { cookie: person(0).cookie, 'last-event-id': seen.id });
    await back.next({ topic: 'devices', deviceId: 'd_3' });
    const hello = back.received[0];
    expect([hello?.event, hello?.id, hello?.data['isResumed']]).toEqual(['hello', seen.id, true]);
    const devices = back.received
      .filter(({ data }) => data['topic'] === 'devices')
      .map(({ data }) => data['deviceId']);
    expect(devices).toEqual(['d_2', 'd_3']);
    using stranger = await read(hub, { cookie: person(1).cookie, 'last-event-id': seen.id });
    await stranger.next({}, 'hello');
    await hub.bus.publish([domainEvent('cluster_NodesChanged', {})]);
    await stranger.next({ topic: 'cluster' });
    expect(stranger.received.filter(({ data }) => data['projectId'] === projectId)).toEqual([]);
  });

  test.each(['000000000000-1', 'nonsense', ''])('does not resume after the unknown id "%s"', async (id) => {
    using reader = await read(hub, { cookie: person(0).cookie, 'last-event-id': id });
    await reader.next({ isResumed: false }, 'hello');
  });

  test('sends what has changed since a call, whose answer says where the live view stood before it', async () => {
    const { cookie } = person(0);
    const projectId = await createProject('Cliffs', cookie);
    const { headers } = await hub.invoke('projects_GetProjectDetails', { projectId }, { cookie });
    await createToken(projectId, cookie);
    using reader = await read(hub, { cookie }, String(headers['x-corral-live-cursor']));
    await reader.next({ isResumed: true }, 'hello');
    await reader.next({ topic: 'tokens', projectId });
    expect((await hub.invoke('actor_GetActor', {})).headers).not.toHaveProperty('x-corral-live-cursor');
  });

  test('does not resume before a deletion, which nobody sees who comes later', async () => {
    const { cookie, userId } = person(0);
    const projectId = await createProject('Dunes', cookie);
    using before = await read(hub, { cookie });
    const { id } = await before.next({}, 'hello');
    await hub.invoke('projects_DeleteProject', { projectId }, { cookie });
    await hub.invoke('users_CreateUserToken', { userId, name: 'afterwards' }, { cookie });
    await before.next({ topic: 'tokens', userId });
    using afterwards = await read(hub, { cookie });
    const last = await afterwards.next({}, 'hello');
    using early = await read(hub, { cookie, 'last-event-id': id });
    await early.next({ isResumed: false }, 'hello');
    using late = await read(hub, { cookie, 'last-event-id': last.id });
    await late.next({ isResumed: true }, 'hello');
  });

  test('asks a reader that was away too long to reload', async () => {
    using reader = await read(hub, { cookie: person(2).cookie });
    const { id } = await reader.next({}, 'hello');
    const projects = Array.from({ length: 2_100 }, (_, at) =>
      domainEvent('devices_Created', { projectId: `p_${at}` }),
    );
    await hub.bus.publish(projects);
    await reader.next({ projectId: 'p_2099' });
    using back = await read(hub, { cookie: person(2).cookie, 'last-event-id': id });
    await back.next({ isResumed: false }, 'hello');
    expect(back.received.filter(({ event }) => event !== 'beat')).toHaveLength(1);
  });

  test('ends with its session', async () => {
    const cookie = await hub.signIn('eve@example.org', password);
    using reader = await read(hub, { cookie });
    await reader.next({}, 'hello');
    await hub.post('/api/private/logout', {}, { cookie });
    await reader.ended;
  });

  test('ends when a new password ends its session', async () => {
    const { userId } = await hub.user('fay@example.org', { password });
    const [one, other] = [
      await hub.signIn('fay@example.org', password),
      await hub.signIn('fay@example.org', password),
    ];
    using stays = await read(hub, { cookie: one });
    using goes = await read(hub, { cookie: other });
    await hub.invoke('users_SetUserPassword', { userId, password: 'another horse battery' }, { cookie: one });
    await goes.ended;
    await stays.next({ topic: 'sessions' });
    expect(stays.response.destroyed).toBe(false);
  });

  test('ends when the session expires or the user is deleted', async () => {
    const gone = await hub.user('gus@example.org', { password });
    using deleted = await read(hub, { cookie: await hub.signIn('gus@example.org', password) });
    await hub.invoke('users_DeleteUser', { userId: gone.userId }, { cookie: person(2).cookie });
    await deleted.ended;
    await using late = await httpHub({ liveIntervals: { beatMs: 1_000, refreshMs: 50 } });
    await late.user('ida@example.org', { password });
    using reader = await read(late, { cookie: await late.signIn('ida@example.org', password) });
    late.advance(24 * 3600 + 60);
    await reader.ended;
  });

  test('disconnects a reader that does not read', async () => {
    using reader = await read(hub, { cookie: person(2).cookie });
    reader.response.pause();
    const isOpen = async () =>
      (await hub.call('/metrics')).text.match(/^corral_live_streams (\d+)/m)?.[1] !== '0';
    await expect.poll(isOpen).toBe(true);
    let at = 0;
    await expect
      .poll(
        async () => {
          const projects = Array.from({ length: 2_000 }, () =>
            domainEvent('devices_Created', { projectId: `p_${'x'.repeat(500)}${(at += 1)}` }),
          );
          await hub.bus.publish(projects);
          return isOpen();
        },
        { interval: 150 },
      )
      .toBe(false);
  });

  test('allows a user at most fifty streams, also of those that are opened at once', async () => {
    const open = (count: number) =>
      Promise.all(Array.from({ length: count }, () => read(hub, { cookie: person(1).cookie })));
    const readers = await open(60);
    const [refused] = readers.filter(({ status }) => status === 429);
    expect(readers.filter(({ status }) => status === 200)).toHaveLength(50);
    expect(refused?.response.headers['retry-after']).toBe('30');
    for (const reader of readers) reader[Symbol.dispose]();
    await expect
      .poll(async () => (await open(1)).map((reader) => (reader[Symbol.dispose](), reader.status)))
      .toEqual([200]);
  });

  test('the streams of a user share what is read of their rights, however many changes there are', async () => {
    await hub.user('lea@example.org', { password });
    const cookie = await hub.signIn('lea@example.org', password);
    const reads = async () =>
      [...(await hub.call('/metrics')).text.matchAll(/^corral_action_seconds_count\{(.*)\} (\d+)$/gm)]
        .filter(([, labels]) => labels?.includes('users_GetSessionPermissions'))
        .reduce((sum, [, , count]) => sum + Number(count), 0);
    const readers = await Promise.all(Array.from({ length: 20 }, () => read(hub, { cookie })));
    const before = await reads();
    const projectIds: string[] = [];
    for (let made = 0; made < 10; made += 1) projectIds.push(await createProject(`P${made}`, cookie));
    await createToken(projectIds.at(-1) ?? '', cookie);
    for (const reader of readers) await reader.next({ topic: 'tokens', projectId: projectIds.at(-1) });
    // Two for each time that they are read: whether something has changed, and what.
    expect((await reads()) - before).toBeLessThan(40);
    for (const reader of readers) reader[Symbol.dispose]();
  });

  test('a reader that leaves while its session is checked is not counted', async () => {
    await hub.user('kim@example.org', { password });
    const cookie = await hub.signIn('kim@example.org', password);
    const { hostname, port } = new URL(hub.url);
    const request = `GET /api/v1/stream HTTP/1.1\r\nHost: ${hostname}\r\nCookie: ${cookie}\r\n\r\n`;
    const connections = async () =>
      Number(/^corral_connections (\d+)/m.exec((await hub.call('/metrics')).text)?.[1]);
    hub.advance(3);
    await hub.database.db.transaction().execute(async (tx) => {
      await sql`lock table user_sessions in access exclusive mode`.execute(tx);
      const sockets = Array.from({ length: 50 }, () => connect(Number(port), hostname));
      for (const socket of sockets) socket.write(request);
      await expect.poll(connections).toBeGreaterThan(50);
      for (const socket of sockets) socket.destroy();
      await expect.poll(connections).toBeLessThan(50);
    });
    using reader = await read(hub, { cookie });
    expect(reader.status).toBe(200);
  });
});
