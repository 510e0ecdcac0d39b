import { randomBytes } from 'node:crypto';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { gatewayScene, type GatewayScene } from '../../test/gateway-scene.ts';

let scene: GatewayScene;
const servers: Server[] = [];
beforeAll(async () => void (scene = await gatewayScene()));
afterAll(async () => {
  for (const server of servers) server.close();
  await scene[Symbol.asyncDispose]();
});

async function service(serve: (socket: Socket) => void): Promise<number> {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    socket.on('error', () => socket.destroy());
    serve(socket);
  });
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}

/** Holds back reads until the test releases them. */
function readGate() {
  const waiting: (() => void)[] = [];
  let isReleased = false;
  return {
    waitForRead: () => new Promise<void>((resolve) => void (isReleased ? resolve() : waiting.push(resolve))),
    release: () => {
      isReleased = true;
      for (const resume of waiting.splice(0)) resume();
    },
  };
}

test('a slow command line receives its whole stream, and delays neither data nor end of a fast one', async () => {
  const slowBytes = randomBytes(60_000);
  const fastBytes = randomBytes(2 * 1_048_576);
  const slowPort = await service((socket) => socket.end(slowBytes));
  const fastPort = await service((socket) => socket.end(fastBytes));
  const { peer: agent, deviceId } = await scene.oldAgent({ ports: new Map() });
  const cli = await scene.oldCommandLine();
  const endpointOf = (port: number) => `device/${deviceId}/proxy/forward/tcp/${port}`;
  const gate = readGate();
  const slow = await cli.open(endpointOf(slowPort));
  const slowRead = slow.readAll(gate.waitForRead);
  const fast = await cli.open(endpointOf(fastPort));
  expect((await fast.readAll()).equals(fastBytes)).toBe(true);
  expect([fast.isPeerDone, slow.isPeerDone, slow.droppedBytes]).toEqual([true, false, 0]);
  gate.release();
  expect((await slowRead).equals(slowBytes)).toBe(true);
  expect([cli.droppedBytes, agent.droppedBytes]).toEqual([0, 0]);
  agent.leave();
  cli.leave();
});

test('a slow agent receives its whole stream, and delays neither data nor end of a fast one', async () => {
  const gate = readGate();
  const received = Promise.withResolvers<Buffer>();
  const port = await service((socket) => {
    const parts: Buffer[] = [];
    socket.on('data', (part: Buffer) => parts.push(part));
    socket.on('end', () => received.resolve(Buffer.concat(parts)));
  });
  const echo = await service((socket) => socket.pipe(socket));
  const slowAgent = await scene.oldAgent({ betweenReads: gate.waitForRead });
  const fastAgent = await scene.oldAgent({});
  const cli = await scene.oldCommandLine();
  const slow = await cli.open(`device/${slowAgent.deviceId}/proxy/forward/tcp/${port}`);
  const sent = randomBytes(30_000);
  void slow.write(sent).then(() => slow.end());
  const fast = await cli.open(`device/${fastAgent.deviceId}/proxy/forward/tcp/${echo}`);
  const more = randomBytes(1_048_576);
  void fast.write(more).then(() => fast.end());
  expect((await fast.readAll()).equals(more)).toBe(true);
  expect(slowAgent.peer.droppedBytes).toBe(0);
  gate.release();
  expect((await received.promise).equals(sent)).toBe(true);
  expect([slowAgent.peer.droppedBytes, fastAgent.peer.droppedBytes, cli.droppedBytes]).toEqual([0, 0, 0]);
  for (const peer of [slowAgent.peer, fastAgent.peer, cli]) peer.leave();
});
