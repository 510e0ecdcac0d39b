import type { ChannelRequest } from '@corral/multiplex';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { connectLink, deviceHeaders, isOpen, newDevice, type OpenLink } from '../../../test/device-client.ts';
import { deviceIdOf, gatewayScene, type GatewayScene } from '../../../test/gateway-scene.ts';
import { bytesLeftByEach } from '../../../test/heap-size.ts';

let scene: GatewayScene;
let user: OpenLink;
let endpoint: string;

/** A device that sends back what it receives. */
function serve(request: ChannelRequest): void {
  const channel = request.accept();
  channel
    .drain((bytes) => channel.write(Uint8Array.from(bytes)))
    .then(
      () => channel.end(),
      () => undefined,
    );
}

async function connected(
  headers: Record<string, string>,
  onRequest?: typeof serve,
  info?: string,
): Promise<OpenLink> {
  const answer = await connectLink(scene.url, headers, onRequest, info);
  if (!isOpen(answer)) throw new Error(answer.body.message);
  return answer;
}

beforeAll(async () => {
  scene = await gatewayScene();
  const headers = deviceHeaders(await newDevice(), scene.token);
  const device = await connected(headers, serve, 'corral-agent/0.1.0');
  endpoint = `device/${await deviceIdOf(device)}/proxy/forward/tcp`;
  user = await connected((await scene.userHeaders()).headers, undefined, 'corral-cli/0.1.0');
});
afterAll(() => scene[Symbol.asyncDispose]());

/** What one forward may leave at both of its ends and in the hub, in bytes. One that is kept leaves 2,000 and more. */
const noise = 1_200;
const bytes = new Uint8Array(1_000);

test('forwards that end leave nothing in memory', async () => {
  const reasons = new Set<string | undefined>();
  const forward = async (): Promise<void> => {
    const channel = await user.connection.openChannel(`${endpoint}/80`);
    await channel.write(bytes.slice());
    channel.end();
    await channel.drain(() => undefined);
    await channel.closed;
    reasons.add(channel.resetReason);
  };
  expect(await bytesLeftByEach(600, forward)).toBeLessThan(noise);
  expect([...reasons]).toEqual([undefined]);
});

test('forwards that are aborted leave nothing in memory', async () => {
  const forward = async (): Promise<void> => {
    const channel = await user.connection.openChannel(`${endpoint}/80`);
    await channel.write(bytes.slice());
    channel.abort('changed its mind');
    await channel.closed;
  };
  expect(await bytesLeftByEach(600, forward)).toBeLessThan(noise);
});
