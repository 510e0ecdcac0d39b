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

/** A reader that takes one payload each time the test asks. */
function paced() {
  const waiting: (() => void)[] = [];
  let isFree = false;
  return {
    between: () => new Promise<void>((resolve) => void (isFree ? resolve() : waiting.push(resolve))),
    free: () => {
      isFree = true;
      for (const go of waiting.splice(0)) go();
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
  const to = (port: number) => `device/${deviceId}/proxy/forward/tcp/${port}`;
  const pace = paced();
  const slow = await cli.open(to(slowPort));
  const slowly = slow.readAll(pace.between);
  const fast = await cli.open(to(fastPort));
  expect((await fast.readAll()).equals(fastBytes)).toBe(true);
  expect([fast.isPeerDone, slow.isPeerDone, slow.droppedBytes]).toEqual([true, false, 0]);
  pace.free();
  expect((await slowly).equals(slowBytes)).toBe(true);
  expect([cli.droppedBytes, agent.droppedBytes]).toEqual([0, 0]);
  agent.leave();
  cli.leave();
});

test('a slow agent receives its whole stream, and delays neither data nor end of a fast one', async () => {
  const pace = paced();
  const heard = Promise.withResolvers<Buffer>();
  const port = await service((socket) => {
    const parts: Buffer[] = [];
    socket.on('data', (part: Buffer) => parts.push(part));
    socket.on('end', () => heard.resolve(Buffer.concat(parts)));
  });
  const echo = await service((socket) => socket.pipe(socket));
  const slowAgent = await scene.oldAgent({ betweenReads: pace.between });
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
  pace.free();
  expect((await heard.promise).equals(sent)).toBe(true);
  expect([slowAgent.peer.droppedBytes, fastAgent.peer.droppedBytes, cli.droppedBytes]).toEqual([0, 0, 0]);
  for (const peer of [slowAgent.peer, fastAgent.peer, cli]) peer.leave();
});
