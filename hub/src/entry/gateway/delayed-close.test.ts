import type { Channel } from '@corral/multiplex';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectLink, deviceHeaders, newDevice, type OpenLink } from '../../../test/device-client.ts';
import { gatewayScene, deviceIdOf, type GatewayScene } from '../../../test/gateway-scene.ts';

let scene: GatewayScene;
beforeAll(async () => void (scene = await gatewayScene()));
afterAll(() => scene[Symbol.asyncDispose]());

/** More than half of a window: for a peer that may drop unread data, the end is delayed until the data was read. */
const unread = new Uint8Array(10_000);

/** Connects a device that sends `info`, makes the calls, and then receives a stream of which it has read nothing yet. */
async function streamTo(info: string, calls: readonly string[] = []): Promise<{ channel: Channel }> {
  const accepted = Promise.withResolvers<Channel>();
  const device = (await connectLink(
    scene.url,
    deviceHeaders(await newDevice(), scene.token),
    (request) => accepted.resolve(request.accept()),
    info,
  )) as OpenLink;
  const deviceId = await deviceIdOf(device);
  const rpc = await device.rpc();
  for (const name of calls) await rpc.invoke(name, { deviceId, name: 'place', value: 'hall' });
  const { headers } = await scene.userHeaders();
  const cli = (await connectLink(scene.url, headers)) as OpenLink;
  const stream = await cli.connection.openChannel(`device/${deviceId}/proxy/forward/tcp/80`);
  await stream.write(unread);
  stream.end();
  const channel = await accepted.promise;
  channel.end();
  return { channel };
}

test.each([
  ['that identifies itself as an agent of Corral', 'corral-agent/0.1.0', []],
  ['that calls an action by its new name', '', ['devices_SetProperty']],
])('a device %s gets the end of a stream before it has read the data', async (_who, info, calls) => {
  const { channel } = await streamTo(info, calls);
  expect(await channel.closed).toBe('');
  expect((await channel.read())?.length).toBe(unread.length);
  expect(await channel.read()).toBeNull();
});

test.each([
  ['that sends no info', '', []],
  ['that calls an action by its old name', '', ['devices_SetDeviceProperty']],
  ['that sends other info', 'agent/0.1.0', []],
])('a device %s gets the end after it has read the data', async (_who, info, calls) => {
  const { channel } = await streamTo(info, calls);
  expect((await channel.read())?.length).toBe(unread.length);
  expect(channel.isClosed).toBe(false);
  expect(await channel.closed).toBe('');
});
