import { fuzzLive } from '@corral/fuzz';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { deviceHeaders, newDevice } from '../../test/device-client.ts';
import { deviceDoor, type DeviceDoor } from '../../test/device-door.ts';
import { collectedHeapBytes } from '../../test/heap.ts';

const { liveMessages } = inject('figures');
const warmUpMessages = liveMessages / 10;

let door: DeviceDoor;
beforeAll(async () => void (door = await deviceDoor()));
afterAll(() => door[Symbol.asyncDispose]());

/** Each device may connect 200 times at once, or 20 times when it violates the protocol each time. */
async function callers(count: number): Promise<Record<string, string>[]> {
  const devices = Array.from({ length: 4 }, async () => deviceHeaders(await newDevice(), door.token, false));
  const users = Array.from({ length: count - 4 }, async () => (await door.userHeaders()).headers);
  return Promise.all([...devices, ...users]);
}

test(
  '[FR2] [FR3] [CL4] [TR7] of thousands of messages over live sockets most are malformed: each connection continues or ends, and a good one is served',
  { timeout: 180_000 },
  async () => {
    const errors = vi.spyOn(console, 'error');
    const good = await door.connectDevice();
    const pinging = setInterval(() => good.connection.tick(), 1_000);
    const rpc = await good.rpc();
    const headers = await callers(liveMessages / 200 + 10);
    await fuzzLive({ url: door.url, headers, seed: 1, messages: warmUpMessages });
    const before = collectedHeapBytes();
    const { connections, kept } = await fuzzLive({
      url: door.url,
      headers,
      seed: 20_261_120,
      messages: liveMessages - warmUpMessages,
    });
    expect(await rpc.invoke('actor_GetActor', {})).toMatchObject({ actor: { actor: 'Device' } });
    // Most are closed for a violation; a few have sent valid frames by chance.
    expect(connections).toBeGreaterThan(liveMessages / 40);
    expect(kept).toBeLessThan(connections / 2);
    await vi.waitFor(() => expect(door.gateway.counts.links).toBe(1), { timeout: 30_000 });
    expect(collectedHeapBytes() - before).toBeLessThan(16 * 1_048_576);
    // An internal fault would have been logged as an error.
    expect(errors).not.toHaveBeenCalled();
    clearInterval(pinging);
    good.connection.close('');
  },
);
