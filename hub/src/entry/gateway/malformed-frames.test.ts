import { fuzzLive } from '@corral/fuzz';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { deviceHeaders, newDevice } from '../../../test/device-client.ts';
import { system } from '../../../test/fresh-executor.ts';
import { commandLineHeaders, gatewayScene, type GatewayScene } from '../../../test/gateway-scene.ts';
import { heapBytesAfterGc } from '../../../test/heap-size.ts';

const { liveMessages } = inject('figures');
const warmUpMessages = liveMessages / 10;

let scene: GatewayScene;
beforeAll(async () => void (scene = await gatewayScene()));
afterAll(() => scene[Symbol.asyncDispose]());

/** Each device and each user may connect 200 times at once, or 20 times when it violates the protocol each time. */
async function callers(count: number): Promise<Record<string, string>[]> {
  const devices = Array.from({ length: 4 }, async () => deviceHeaders(await newDevice(), scene.token, false));
  const users = Array.from({ length: count - 4 }, async (_, index) => {
    const { userId } = await scene.hub.user(`caller${index}@example.org`);
    const input = { userId, name: 'cli' };
    return commandLineHeaders((await scene.hub.as(system, 'users_CreateUserToken', input)).token);
  });
  return Promise.all([...devices, ...users]);
}

test(
  '[FR2] [FR3] [CL4] [TR7] of thousands of messages over live sockets most are malformed: each connection continues or ends, and a good one is served',
  { timeout: 180_000 },
  async () => {
    const errors = vi.spyOn(console, 'error');
    const good = await scene.connectDevice();
    const pinging = setInterval(() => good.connection.tick(), 1_000);
    const rpc = await good.rpc();
    const headers = await callers(liveMessages / 200 + 10);
    await fuzzLive({ url: scene.url, headers, seed: 1, messages: warmUpMessages });
    const before = heapBytesAfterGc();
    const { connections, kept } = await fuzzLive({
      url: scene.url,
      headers,
      seed: 20_261_120,
      messages: liveMessages - warmUpMessages,
    });
    expect(await rpc.invoke('actor_GetActor', {})).toMatchObject({ actor: { actor: 'Device' } });
    // Most are closed for a violation; a few have sent valid frames by chance.
    expect(connections).toBeGreaterThan(liveMessages / 40);
    expect(kept).toBeLessThan(connections / 2);
    await vi.waitFor(() => expect(scene.gateway.counts.links).toBe(1));
    expect(heapBytesAfterGc() - before).toBeLessThan(16 * 1_048_576);
    // An internal fault would have been logged as an error.
    expect(errors).not.toHaveBeenCalled();
    clearInterval(pinging);
    good.connection.close('');
  },
);
