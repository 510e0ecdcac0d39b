import type { HubName } from '@corral/tools';
import { signIn } from '../bench-hub.ts';
import { percentile } from '../load.ts';
import { barLine, type Line } from '../table.ts';
import { prepareDevices } from '../devices.ts';
import { onCluster, type ClusterTestbed } from './cluster-testbed.ts';
import { counts } from './counts.ts';
import { openAnswer } from './person.ts';

const barMs = 300;
const devices = 20;

/** How long after its answer a change is in the live view of another hub, beside one of the same hub. */
export function liveViewElsewhere(): Promise<Line[]> {
  return onCluster(async (bed) => {
    const { deviceIds } = await prepareDevices(bed.user, devices);
    const [there, here] = [await watch(bed, 'east'), await watch(bed, 'south')];
    const [elsewhere, same]: [number[], number[]] = [[], []];
    for (let change = 0; change < counts.liveChanges; change += 1) {
      const deviceId = deviceIds[change % devices] ?? ('' as never);
      const seen = [there.next(deviceId), here.next(deviceId)];
      await bed
        .userOf('south')
        .executor.invoke('devices_SetDeviceName', { deviceId, name: `changed ${change}` });
      const changedAtMs = performance.now();
      const [inThere = 0, inHere = 0] = await Promise.all(seen);
      elsewhere.push(Math.max(0, inThere - changedAtMs));
      same.push(Math.max(0, inHere - changedAtMs));
    }
    for (const { close } of [there, here]) close();
    const row = { unit: 'ms', ours: percentile(elsewhere, 0.99), anchor: percentile(same, 0.99) };
    const what = `${counts.liveChanges} changes in the live view of another hub, p99 after the answer`;
    return [barLine({ ...row, what, anchorName: 'the live view of the same hub', bar: barMs })];
  });
}

/** A live view of the administrator at a hub. */
async function watch(bed: ClusterTestbed, hub: HubName) {
  const url = bed.hubUrls[hub];
  const { cookie } = await signIn(url);
  const waiting = new Map<string, (atMs: number) => void>();
  const { close } = await openAnswer(`${url}/api/v1/stream`, { cookie }, (text) => {
    for (const [deviceId, resolve] of waiting) {
      if (!text.includes(deviceId)) continue;
      waiting.delete(deviceId);
      resolve(performance.now());
    }
  });
  return {
    close,
    /** When the next message about a device arrives. */
    next: (deviceId: string) => new Promise<number>((resolve) => void waiting.set(deviceId, resolve)),
  };
}
