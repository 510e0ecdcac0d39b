import { abuses, startAbuser, type Abuser, type AbuseName } from '@corral/fuzz';
import type { RpcClient } from '@corral/multiplex';
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest';
import { deviceHeaders, type OpenLink, type TestDevice } from '../../test/device-client.ts';
import { gatewayScene, type GatewayScene } from '../../test/gateway-scene.ts';
import { enrol } from '../../test/enrolled-devices.ts';
import { heapBytesAfterGc } from '../../test/heap-size.ts';

const names = Object.keys(abuses) as AbuseName[];
const goodCount = 40;
/** `npm run bench abuse` measures 100 abusers beside 1,000 good devices. */
const maxAbusers = inject('figures').abusers;
const ofOneKind = 10;
const callsOfEach = 8;

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
  const devices = await enrol(scene, goodCount + names.length * ofOneKind + atOnce.length);
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

/** Each good device makes its calls one after another, and every call gets an answer. */
async function allAreServed(): Promise<void> {
  const serve = async ({ rpc }: { rpc: RpcClient }): Promise<void> => {
    for (let call = 0; call < callsOfEach; call += 1)
      expect(await rpc.invoke('actor_GetActor', {})).toMatchObject({ actor: { actor: 'Device' } });
  };
  await Promise.all(good.map(serve));
}

async function under(abusers: readonly Abuser[]): Promise<void> {
  const before = heapBytesAfterGc();
  // All abusers are active, and some have been disconnected and reconnected, while the good devices are served.
  await vi.waitFor(() => expect(abusers.every(({ connections }) => connections > 0)).toBe(true), {
    timeout: 60_000,
  });
  await allAreServed();
  // A connection may hold a frame of 1 MiB, a partial input and one window per channel. What just ended connections
  // held is freed after their last callback, so that one measurement may be higher.
  const bound = abusers.length * 1.6 * 1_048_576 + 24 * 1_048_576;
  await vi.waitFor(() => expect(heapBytesAfterGc() - before).toBeLessThan(bound));
  await allAreServed();
  await Promise.all(abusers.map((abuser) => abuser.stop()));
  await vi.waitFor(() => expect(scene.gateway.counts).toEqual({ devices: goodCount, links: goodCount }));
  expect(good.map(({ link }) => link.connection.end)).toEqual(good.map(() => undefined));
}

function start(device: TestDevice, which: readonly AbuseName[]): Abuser {
  const abuser = startAbuser(scene.url, deviceHeaders(device, scene.token), which);
  // A failed test leaves no abuser to the next one.
  onTestFinished(() => abuser.stop());
  return abuser;
}

describe('good devices are served, and memory is bounded', { timeout: 180_000 }, () => {
  test.each(names)('beside ten abusers by %s', async (name) => {
    const from = names.indexOf(name) * ofOneKind;
    await under(bad.slice(from, from + ofOneKind).map((device) => start(device, [name])));
  });

  test('beside many abusers of every kind', async () => {
    const turned = (by: number) => [...names.slice(by % names.length), ...names.slice(0, by % names.length)];
    await under(bad.slice(0, maxAbusers).map((device, index) => start(device, turned(index))));
  });
});

describe('only the abuser is disconnected', { timeout: 60_000 }, () => {
  test.each(atOnce)('at once for %s', async (name) => {
    const abuser = start(bad.at(-1 - atOnce.indexOf(name))!, [name]);
    await vi.waitFor(() => expect(abuser.endings).toBeGreaterThan(0));
    await abuser.stop();
    await allAreServed();
  });

  test.each(inTime)('for %s after %i ms', async (name, afterMs) => {
    const abuser = start(bad[1]!, [name]);
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
