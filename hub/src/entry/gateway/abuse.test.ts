import { startAbuser, type Abuser, type AbuseName } from '@corral/fuzz';
import type { RpcClient } from '@corral/multiplex';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { deviceHeaders, type OpenLink, type TestDevice } from '../../../test/device-client.ts';
import { gatewayScene, type GatewayScene } from '../../../test/gateway-scene.ts';
import { enrol } from '../../../test/enrolled-devices.ts';

const goodCount = 5;

/** Abuse that ends a connection at once. The rest ends by timeout: 10 s without Hello or reading, 20 s without a frame. */
const atOnce: AbuseName[] = [
  'tinyFrames',
  'pingsOfTheWebSocket',
  'creditViolation',
  'oversizedFrame',
  'unknownChannel',
];
const inTime: [AbuseName, number][] = [
  ['mute', 10_000],
  ['halfOpen', 20_000],
  ['unfinishedFrame', 20_000],
];

let scene: GatewayScene;
let bad: TestDevice[];
let pinging: ReturnType<typeof setInterval>;
const good: { link: OpenLink; rpc: RpcClient }[] = [];
beforeAll(async () => {
  scene = await gatewayScene();
  const devices = await enrol(scene, goodCount + atOnce.length + 1);
  bad = devices.slice(goodCount);
  for (const device of devices.slice(0, goodCount)) {
    const link = await scene.connectDevice(device);
    good.push({ link, rpc: await link.rpc() });
  }
  pinging = setInterval(() => good.forEach(({ link }) => link.connection.tick()), 1_000);
});
afterAll(async () => {
  clearInterval(pinging);
  await scene[Symbol.asyncDispose]();
});

/** Every call of each good device gets an answer. */
async function allAreServed(): Promise<void> {
  for (const { rpc } of good)
    expect(await rpc.invoke('actor_GetActor', {})).toMatchObject({ actor: { actor: 'Device' } });
}

function start(device: TestDevice, which: readonly AbuseName[]): Abuser {
  const abuser = startAbuser(scene.url, deviceHeaders(device, scene.token), which);
  // A failed test leaves no abuser to the next one.
  onTestFinished(() => abuser.stop());
  return abuser;
}

describe('only the abuser is disconnected', { timeout: 60_000 }, () => {
  test.each(atOnce)('at once for %s', async (name) => {
    const abuser = start(bad[atOnce.indexOf(name)]!, [name]);
    await vi.waitFor(() => expect(abuser.endings).toBeGreaterThan(0));
    await abuser.stop();
    await allAreServed();
  });

  test.each(inTime)('for %s after %i ms', async (name, afterMs) => {
    const abuser = start(bad.at(-1)!, [name]);
    await vi.waitFor(() => expect(scene.gateway.counts.links).toBe(goodCount + 1));
    // The good devices have just sent frames, so the time that the previous test advanced does not matter.
    await allAreServed();
    scene.advance(afterMs / 2);
    await allAreServed();
    expect(scene.gateway.counts.links).toBe(goodCount + 1);
    scene.advance(afterMs / 2);
    // It soon reconnects, unless it does not even read that the connection ended.
    const links = () => scene.gateway.counts.links;
    await vi.waitFor(() => expect(abuser.endings > 0 || links() === goodCount).toBe(true));
    await abuser.stop();
    await vi.waitFor(() => expect(links()).toBe(goodCount));
    expect(good.map(({ link }) => link.connection.end)).toEqual(good.map(() => undefined));
  });
});
