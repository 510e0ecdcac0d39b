import { system } from '../../../test/fresh-executor.ts';
import { randomBytes } from 'node:crypto';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import type { ChannelRequest } from '@corral/multiplex';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { connectLink, deviceHeaders, newDevice, type OpenLink } from '../../../test/device-client.ts';
import { gatewayScene, deviceIdOf, type GatewayScene } from '../../../test/gateway-scene.ts';
import type { FirstGeneration, FirstGenerationOptions } from '../../../test/first-generation.ts';
import { frame, tags } from '../../../test/first-generation-frames.ts';

let scene: GatewayScene;
const servers: Server[] = [];
beforeAll(async () => void (scene = await gatewayScene()));
afterAll(async () => {
  for (const server of servers) server.close();
  await scene[Symbol.asyncDispose]();
});

/** A TCP service on the device's machine. */
async function service(serve: (socket: Socket) => void): Promise<number> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => socket.destroy());
    serve(socket);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

interface Clients {
  readonly agent: FirstGeneration;
  readonly cli: FirstGeneration;
  readonly endpointOf: (port: number) => string;
}

/** Runs a test with an agent and a command line of the first generation, which disconnect afterwards. */
async function withClients(
  run: (clients: Clients) => Promise<void>,
  options: FirstGenerationOptions = {},
): Promise<void> {
  const { peer: agent, deviceId } = await scene.oldAgent(options);
  const cli = await scene.oldCommandLine();
  await run({ agent, cli, endpointOf: (port) => `device/${deviceId}/proxy/forward/tcp/${port}` });
  expect([agent.connectionClose, cli.connectionClose]).toEqual([undefined, undefined]);
  agent.leave();
  cli.leave();
}

async function readAll(socket: Socket): Promise<Buffer> {
  const parts: Buffer[] = [];
  // The end of one direction must not end the other.
  for await (const part of socket.iterator({ destroyOnReturn: false })) parts.push(part as Buffer);
  return Buffer.concat(parts);
}

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
const sizeBytes = 8 * 1_048_576;

describe('a forward through the hub', () => {
  test('delivers 8 MiB in each direction, though both clients drop unread data at the end', async () => {
    const up = randomBytes(sizeBytes);
    const down = randomBytes(sizeBytes);
    const arrived = Promise.withResolvers<Buffer>();
    const port = await service((socket) => {
      socket.end(down);
      void readAll(socket).then(arrived.resolve);
    });
    await withClients(async ({ agent, cli, endpointOf }) => {
      const channel = await cli.open(endpointOf(port));
      const received = channel.readAll(turn);
      await channel.write(up);
      channel.end();
      expect((await received).equals(down)).toBe(true);
      expect((await arrived.promise).equals(up)).toBe(true);
      expect([agent.droppedBytes, cli.droppedBytes]).toEqual([0, 0]);
      expect(agent.endpoints).toEqual([`forward/tcp/${port}`]);
    });
  });

  test.each([1, 3_000, 8_192, 8_193, 16_384, 40_000])(
    'loses nothing of %i bytes, whose end comes right behind them',
    async (bytes) => {
      const sent = randomBytes(bytes);
      const port = await service((socket) => void readAll(socket).then((received) => socket.end(received)));
      await withClients(async ({ agent, cli, endpointOf }) => {
        const channel = await cli.open(endpointOf(port));
        await channel.write(sent);
        channel.end();
        expect((await channel.readAll(turn)).equals(sent)).toBe(true);
        expect([agent.droppedBytes, cli.droppedBytes]).toEqual([0, 0]);
      });
    },
  );

  test('delays the end until a slow reader has read the data', async () => {
    const sent = randomBytes(400_000);
    const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 4));
    const arrived = Promise.withResolvers<Buffer>();
    const port = await service((socket) => {
      socket.end();
      void readAll(socket).then(arrived.resolve);
    });
    await withClients(
      async ({ agent, cli, endpointOf }) => {
        const channel = await cli.open(endpointOf(port));
        await channel.write(sent);
        channel.end();
        expect((await arrived.promise).equals(sent)).toBe(true);
        expect(agent.droppedBytes).toBe(0);
      },
      { betweenReads: pause },
    );
  });

  test('delays only the end: data is sent at once, and the other direction continues after an end', async () => {
    const port = await service((socket) => {
      socket.write('hello');
      socket.once('end', () => socket.end('goodbye'));
      socket.resume();
    });
    await withClients(async ({ cli, endpointOf }) => {
      const channel = await cli.open(endpointOf(port));
      expect(String(await channel.read())).toBe('hello');
      expect(channel.isPeerDone).toBe(false);
      channel.end();
      expect(String(await channel.readAll())).toBe('goodbye');
    });
  });

  test('to a closed port opens a channel that ends in both directions without data', async () => {
    const port = await service(() => {});
    await new Promise((resolve) => servers.pop()?.close(resolve));
    await withClients(async ({ cli, endpointOf }) => {
      const channel = await cli.open(endpointOf(port));
      expect(await channel.read()).toBeNull();
      await vi.waitFor(() => expect(channel.hasPeerStoppedReading).toBe(true));
    });
  });

  test('informs one peer immediately that the other stopped reading, without data flowing', async () => {
    const port = await service((socket) => socket.resume());
    await withClients(async ({ agent, cli, endpointOf }) => {
      const channel = await cli.open(endpointOf(port));
      channel.end();
      channel.stopReading();
      await agent.frameOf(tags.close);
    });
  });

  test('that stalls delays no other, and its sender stops after one window per leg', async () => {
    const stuck = await service((socket) => socket.pause());
    const echo = await service((socket) => socket.pipe(socket));
    let isOpen = true;
    await withClients(
      async ({ cli, endpointOf }) => {
        const stalled = await cli.open(endpointOf(stuck));
        const flood = stalled.write(Buffer.alloc(64 * 1_048_576));
        const others = await Promise.all([1, 2, 3].map(() => cli.open(endpointOf(echo))));
        isOpen = false;
        for (const other of others) {
          const sent = randomBytes(5_000);
          await other.write(sent);
          let received = Buffer.alloc(0);
          while (received.length < sent.length) received = Buffer.concat([received, (await other.read())!]);
          expect(received.equals(sent)).toBe(true);
        }
        cli.leave();
        expect(await flood).toBe(false);
      },
      { betweenReads: async () => void (isOpen || (await turn())) },
    );
  });

  test('whose sender exceeds its credit ends the connection of that sender only', async () => {
    const port = await service((socket) => socket.pause());
    const { peer: agent, deviceId } = await scene.oldAgent({ betweenReads: () => new Promise(() => {}) });
    const cli = await scene.oldCommandLine();
    const channel = await cli.open(`device/${deviceId}/proxy/forward/tcp/${port}`);
    for (let sent = 0; sent < 600; sent += 1) cli.send(frame(tags.data, [channel.remoteId], [], 'x'));
    await cli.webSocket.ended;
    expect(cli.connectionClose).toBe('data without credit');
    expect(agent.webSocket.isEnded).toBe(false);
    agent.leave();
  });
});

describe('a forward is refused', () => {
  test.each([
    [
      'to a device that does not exist',
      'device/d_1111111111111111111111/proxy/forward/tcp/80',
      'permission denied',
    ],
    ['to a port out of range', 'device/d_1111111111111111111111/proxy/forward/tcp/65536', 'unknown endpoint'],
    ['to something else', 'terminal', 'unknown endpoint'],
  ])('%s, with a readable reason', async (_what, endpoint, reason) => {
    await withClients(async ({ agent, cli }) => {
      await expect(cli.open(endpoint)).rejects.toThrow(reason);
      expect(agent.endpoints).toEqual([]);
    });
  });

  test('from a device to a device', async () => {
    await withClients(async ({ agent, endpointOf }) => {
      await expect(agent.open(endpointOf(80))).rejects.toThrow('permission denied');
    });
  });

  test('and aborted once its user has left the project', async () => {
    const port = await service((socket) => socket.write('hello'));
    await withClients(async ({ cli, endpointOf }) => {
      const { hub, owner, projectId } = scene;
      const second = await hub.user('second@example.org');
      await hub.as(system, 'projects_AddProjectMember', { projectId, userId: second.userId, isOwner: true });
      const channel = await cli.open(endpointOf(port));
      expect(String(await channel.read())).toBe('hello');
      await hub.as(second, 'projects_RemoveProjectMember', { projectId, userId: owner.userId });
      expect(await channel.read()).toBeNull();
      await expect(cli.open(endpointOf(port))).rejects.toThrow('permission denied');
      await hub.as(system, 'projects_AddProjectMember', { projectId, userId: owner.userId, isOwner: true });
    });
  });

  test(
    'at once when its user leaves the project before the device has answered',
    // Sooner than a device that does not answer is given up.
    { timeout: 14_000 },
    async () => {
      const { hub, owner, projectId } = scene;
      const requested = Promise.withResolvers<ChannelRequest>();
      const headers = deviceHeaders(await newDevice(), scene.token);
      const device = (await connectLink(scene.url, headers, requested.resolve)) as OpenLink;
      const cli = await scene.oldCommandLine();
      const opening = cli.open(`device/${await deviceIdOf(device)}/proxy/forward/tcp/80`);
      opening.catch(() => {});
      const request = await requested.promise;
      const second = await hub.user('third@example.org');
      await hub.as(system, 'projects_AddProjectMember', { projectId, userId: second.userId, isOwner: true });
      await hub.as(second, 'projects_RemoveProjectMember', { projectId, userId: owner.userId });
      await expect(opening).rejects.toThrow('permission denied');
      expect(await request.accept().read()).toBeNull();
      await hub.as(system, 'projects_AddProjectMember', { projectId, userId: owner.userId, isOwner: true });
      device.connection.close('');
      cli.leave();
    },
  );
});
