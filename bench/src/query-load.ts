import type { BenchHub } from './bench-hub.ts';
import { httpCaller } from './http-caller.ts';
import { openLoad, type OpenLoadResult } from './open-load.ts';
import type { Testbed } from './testbed.ts';
import type { BenchDevices } from './devices.ts';

const queriesPerSecond = 200;
const connections = 32;

/** Latency of 200 queries of people a second over HTTP, each for another device; each is sent when it is due, even if the hub is slow. */
export async function queriesOfPeople(
  { user }: Testbed,
  hub: BenchHub,
  { deviceIds }: BenchDevices,
  measureMs: number,
): Promise<OpenLoadResult> {
  const caller = httpCaller(hub.url, { authorization: `Bearer ${user.token}` }, connections);
  // The step and the number of devices have no common divisor.
  const call = (index: number) =>
    caller.post('/api/v1/actions/invoke/devices_GetDeviceDetails', {
      deviceId: deviceIds[(index * 7_919) % deviceIds.length],
    });
  const warmUpMs = Math.min(2_000, measureMs / 4);
  const result = await openLoad(call, { perSecond: queriesPerSecond, warmUpMs, measureMs });
  caller.close();
  return result;
}
