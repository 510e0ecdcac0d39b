import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { hubCertificate } from '../../../test/device-certificate.ts';
import { hintKey, natsNode, projectEvent, type TestNode } from '../../../test/nats-nodes.ts';
import { hasNatsServer, natsServer, needNats, type NatsServer } from '../../../test/nats-server.ts';
import { EnvelopeWriter } from './hint-envelope.ts';
import { hintSubject } from './nats-bus.ts';
import { pingNodes } from './ping-nodes.ts';

describe('[needs NATS] a bus of several nodes', () => {
  let server: NatsServer;
  let north: TestNode;
  let south: TestNode;
  let outsider: NatsConnection;
  beforeEach(({ skip }) => needNats(skip));
  beforeAll(async () => {
    if (!hasNatsServer) return;
    server = await natsServer();
    north = natsNode(server.address);
    south = natsNode(server.address, 'south');
    await connected(north, south);
    outsider = await connect({ servers: server.address.servers[0] ?? '', reconnect: false });
  });
  afterAll(async () => {
    await Promise.all([north?.bus.stop(), south?.bus.stop(), outsider?.close()]);
    await server?.stop();
  });

  const connected = (...nodes: TestNode[]) =>
    vi.waitFor(() => expect(nodes.every(({ bus }) => bus.isConnected)).toBe(true));

  const writer = new EnvelopeWriter(hintKey, Date.now);
  /** Sends a message that a node has signed. */
  const publishSigned = (text: string, by = writer, version?: number) =>
    outsider.publish(hintSubject('one'), by.write(Buffer.from(text), version));

  /** What a node is told from now on: ids of projects, or `missed`. */
  function listen({ bus }: TestNode) {
    const heard: unknown[] = [];
    const stop = bus.subscribe(
      ({ data }) => void heard.push(data['projectId']),
      () => void heard.push('missed'),
    );
    return { heard, [Symbol.dispose]: stop };
  }

  test('tells events to the others, and to each once', async () => {
    using listener = listen(north);
    using other = listen(south);
    await north.bus.publish([projectEvent('a')]);
    await expect.poll(() => other.heard).toEqual(['a']);
    await south.bus.publish([projectEvent('b')]);
    await expect.poll(() => listener.heard).toEqual(['a', 'b']);
    expect(other.heard).toEqual(['a', 'b']);
  });

  test('answers a roll call with the nodes that are there and their clocks', async () => {
    const late = natsNode(server.address, 'late', 'one', 60_000);
    await connected(late);
    const call = (instanceId: string, expected: number, waitMs: number) =>
      pingNodes({ address: server.address, instanceId, expected, waitMs, machineMs: Date.now });
    const answers = await call('one', 3, 30_000);
    expect(answers.map(({ node }) => node).toSorted()).toEqual(['late', 'north', 'south']);
    for (const { node, aheadMs } of answers) expect(aheadMs > 30_000, node).toBe(node === 'late');
    expect(await call('another', 1, 100)).toEqual([]);
    expect([...north.logged, ...south.logged].join()).not.toContain('is not one of its hints');
    for (let calls = 0; calls < 40; calls += 1) outsider.publish(hintSubject('one'), '{"ping":"too many"}');
    let heard = 0;
    const counting = outsider.subscribe(hintSubject('one'), { callback: () => void (heard += 1) });
    await outsider.flush();
    await expect.poll(() => late.bus.counts.received).toBeGreaterThanOrEqual(41);
    await late.bus.stop();
    await outsider.flush();
    counting.unsubscribe();
    expect(heard).toBeLessThanOrEqual(3 * 20);
    const away = { servers: ['127.0.0.1:1'], isEncrypted: false };
    const refused = pingNodes({
      address: away,
      instanceId: 'one',
      expected: 1,
      waitMs: 1,
      machineMs: Date.now,
    });
    await expect(refused).rejects.toThrow(/refused/i);
  });

  test('leaves work that one node does for all to the node that publishes', async () => {
    const own: string[] = [];
    using other = listen(south);
    const stop = south.bus.subscribeToOwn(({ name }) => void own.push(name));
    await north.bus.publish([projectEvent('a', 'mail_Queued'), projectEvent('b')]);
    await expect.poll(() => other.heard).toEqual(['b']);
    expect(own).toEqual([]);
    stop();
  });

  test('tells neither texts nor actors', async () => {
    const seen: string[] = [];
    const subscription = outsider.subscribe(hintSubject('one'), {
      callback: (_error, message) => void seen.push(message.string()),
    });
    await outsider.flush();
    await north.bus.publish([
      projectEvent('a', 'projects_InvitationCreated', {
        email: 'a@example.org',
        invitationId: 'i_1',
        list: ['x'],
      }),
    ]);
    await expect.poll(() => seen.length).toBe(1);
    expect(JSON.parse((seen[0] ?? '').slice((seen[0] ?? '').indexOf('{"events"')))).toEqual({
      events: [
        {
          name: 'projects_InvitationCreated',
          at: '2026-11-20T12:00:00Z',
          data: { projectId: 'a', invitationId: 'i_1' },
        },
      ],
    });
    subscription.unsubscribe();
  });

  test('sends equal hints of a moment once, and never joins logged events', async () => {
    using other = listen(south);
    const same = Array.from({ length: 500 }, () =>
      projectEvent('p', 'devices_EventsPublished', { deviceId: 'd' }),
    );
    await north.bus.publish([...same, projectEvent('q'), projectEvent('q')]);
    await expect.poll(() => other.heard.slice(-2)).toEqual(['q', 'q']);
    expect(other.heard.length).toBeLessThan(20);
  });

  test('drops and counts messages that are no hints, and logs a sample', async () => {
    using other = listen(south);
    const before = south.bus.counts.refused;
    const at = '2026-11-20T12:00:00Z';
    const wrong = [
      '',
      'not JSON',
      '[]',
      '{"events":"all"}',
      JSON.stringify({
        events: [{ name: 'projects_NameChanged', at, data: { projectId: { toString: 1 } } }],
      }),
      JSON.stringify({ events: [{ name: 'projects_NameChanged', at: 'today', data: {} }] }),
      JSON.stringify({
        events: [{ name: 'projects_NameChanged', at, data: { projectId: 'x'.repeat(1_000) } }],
      }),
      JSON.stringify({ events: Array(300).fill({ name: 'projects_NameChanged', at, data: {} }) }),
      `{"events":[],"more":"${'x'.repeat(100_000)}"}`,
      '['.repeat(60_000),
    ];
    for (const text of wrong) publishSigned(text);
    for (const text of Array<string>(20).fill('noise')) publishSigned(text);
    const unknown = { name: 'fleets_Invented', at, data: {} };
    const known = { name: 'projects_NameChanged', at, data: { projectId: 'good' } };
    publishSigned(JSON.stringify({ events: [unknown, known] }));
    await expect.poll(() => other.heard).toEqual(['good']);
    expect(south.bus.counts.refused - before).toBe(wrong.length + 20);
    expect(south.logged.filter((message) => message.includes('was dropped'))).toHaveLength(10);
    expect(south.problems).toEqual([]);
  });

  test('follows no hint that the nodes have not signed, whatever their number', async () => {
    using other = listen(south);
    const before = south.bus.counts.refused;
    const event = { name: 'projects_NameChanged', at: '2026-11-20T12:00:00Z', data: { projectId: 'forged' } };
    const forged = JSON.stringify({ events: [event] });
    for (const text of [forged, '{"isMissed":true}', '', '\u0001', '\u0001{"events":[]}'])
      outsider.publish(hintSubject('one'), text);
    publishSigned(forged, new EnvelopeWriter(Buffer.alloc(32, 'another key'), Date.now));
    for (let count = 0; count < 5_000; count += 1) outsider.publish(hintSubject('one'), forged);
    publishSigned(JSON.stringify({ events: [{ ...event, data: { projectId: 'true' } }] }));
    await expect.poll(() => other.heard).toEqual(['true']);
    expect(south.bus.counts.refused - before).toBe(5_006);
  });

  test('follows a repeated hint once, and says once that hints of another release may be missing', async () => {
    using other = listen(south);
    const text = (projectId: string) =>
      JSON.stringify({
        events: [{ name: 'projects_NameChanged', at: '2026-11-20T12:00:00Z', data: { projectId } }],
      });
    const recorded = writer.write(Buffer.from(text('once')));
    for (let count = 0; count < 5_000; count += 1) outsider.publish(hintSubject('one'), recorded);
    publishSigned(text('after'));
    await expect.poll(() => other.heard).toEqual(['once', 'after']);
    for (let count = 0; count < 100; count += 1) publishSigned(text('newer'), writer, 2);
    publishSigned(text('last'));
    await expect.poll(() => new Set(other.heard)).toEqual(new Set(['once', 'after', 'missed', 'last']));
    expect(other.heard).toHaveLength(4);
  });

  test('keeps a limited number of hints, and says that others are missing', async () => {
    using other = listen(south);
    const before = { ...south.bus.counts };
    for (let count = 0; count < 20_000; count += 1) publishSigned('{"events":[]}');
    const seen = ({ received, dropped } = south.bus.counts) => received + dropped;
    const seenBefore = seen(before);
    await expect.poll(() => seen() - seenBefore).toBe(20_000);
    // Told once each time that it has caught up.
    await expect.poll(() => new Set(other.heard)).toEqual(new Set(['missed']));
    expect(south.bus.counts.received - before.received).toBeLessThan(20_000);
  });

  test('tells the others that events are missing when it has more than it keeps', async () => {
    using other = listen(south);
    const many = Array.from({ length: 12_000 }, (_, index) => projectEvent(`p${index}`));
    await Promise.all([north.bus.publish(many.slice(0, 6_000)), north.bus.publish(many.slice(6_000))]);
    expect(north.bus.takeLost()).toBe(true);
    await expect.poll(() => other.heard.length).toBeGreaterThan(4_000);
  });

  test('does not hear another Corral on the same NATS', async () => {
    const foreign = natsNode(server.address, 'far', 'two');
    await connected(foreign);
    using far = listen(foreign);
    using other = listen(south);
    await north.bus.publish([projectEvent('a')]);
    await expect.poll(() => other.heard).toContain('a');
    await foreign.bus.publish([projectEvent('b')]);
    expect(far.heard).toEqual(['b']);
    await foreign.bus.stop();
  });

  test('goes on without NATS, connects again by itself, and then tells that events are missing', async () => {
    using listener = listen(north);
    using other = listen(south);
    await server.stop();
    await expect.poll(() => [north.bus.isConnected, south.bus.isConnected]).toEqual([false, false]);
    await north.bus.publish([projectEvent('a')]);
    expect(listener.heard).toEqual(['a']);
    await server.start();
    await connected(north, south);
    await expect.poll(() => other.heard).toContain('missed');
    other.heard.length = 0;
    await expect.poll(async () => (await north.bus.publish([projectEvent('b')]), other.heard)).toContain('b');
    expect(north.logged.filter((message) => message.startsWith('NATS cannot be reached'))).toHaveLength(1);
  });

  test('starts while NATS is away', async () => {
    await server.stop();
    const early = natsNode(server.address, 'early');
    await expect.poll(() => early.logged.length).toBe(1);
    await server.start();
    await connected(early, north, south);
    using other = listen(south);
    await expect.poll(async () => (await early.bus.publish([projectEvent('a')]), other.heard)).toContain('a');
    await early.bus.stop();
    await natsNode({ ...server.address, servers: ['127.0.0.1:1'] }).bus.stop();
  });

  test('connects encrypted, with a user, and says why it cannot', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'corral-nats-'));
    const { caPem, certPem, keyPem } = await hubCertificate();
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    await Promise.all([writeFile(cert, certPem), writeFile(key, keyPem)]);
    const args = ['--tls', '--tlscert', cert, '--tlskey', key, '--user', 'hub', '--pass', 'secret'];
    await using secured = await natsServer(args);
    const trusting = {
      ...secured.address,
      servers: [`localhost:${secured.port}`],
      isEncrypted: true,
      authorities: caPem,
    };
    const good = natsNode({ ...trusting, user: 'hub', password: 'secret' });
    const stranger = natsNode({ ...trusting, user: 'hub', password: 'wrong' });
    const distrusting = natsNode({ ...secured.address, isEncrypted: true, user: 'hub', password: 'secret' });
    await connected(good);
    await expect.poll(() => [stranger, distrusting].map(({ logged }) => logged.length)).toEqual([1, 1]);
    expect([stranger.bus.isConnected, distrusting.bus.isConnected]).toEqual([false, false]);
    await Promise.all([good, stranger, distrusting].map(({ bus }) => bus.stop()));
    await rm(folder, { recursive: true });
  });
});
