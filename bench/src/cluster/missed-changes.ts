import type { HubName } from '@corral/tools';
import { signIn } from '../bench-hub.ts';
import { prepareDevices } from '../devices.ts';
import type { ClusterTestbed } from './cluster-testbed.ts';
import { openAnswer } from './person.ts';

/** A change that is not in a live view after this time counts as missed, unless the view was reset. */
const missedAfterMs = 15_000;
/** The pause of the console before it reopens a live view, which then reloads everything. */
const reopenAfterMs = 1_000;

/**
 * Changes a device at one hub again and again, and counts the changes that do not reach the live view of another hub within 15 s plus
 * `allowMs`. It may fail before it is awaited: when the rest of a measurement fails, the cluster stops.
 */
export function countMissed(...args: Parameters<typeof count>): Promise<number> {
  const counted = count(...args);
  counted.catch(() => undefined);
  return counted;
}

async function count(
  bed: ClusterTestbed,
  until: { readonly isOver: boolean },
  watched: HubName = 'east',
  allowMs = 0,
): Promise<number> {
  const { deviceIds } = await prepareDevices(bed.user, 1);
  const [deviceId = '' as never] = deviceIds;
  const waiting = new Set<() => void>();
  const tell = (): void => {
    for (const seen of waiting) seen();
  };
  const close = await keepWatching(bed, watched, (text) => {
    if (text.includes(deviceId) || text.includes('event: reset')) tell();
  });
  let missed = 0;
  for (let change = 0; !until.isOver; change += 1) {
    const isSeen = new Promise<boolean>((resolve) => {
      const seen = (): void => (waiting.delete(seen), resolve(true));
      waiting.add(seen);
      setTimeout(() => (waiting.delete(seen), resolve(false)), missedAfterMs + allowMs);
    });
    await bed
      .userOf('south')
      .executor.invoke('devices_SetDeviceName', { deviceId, name: `changed ${change}` });
    if (!(await isSeen)) missed += 1;
  }
  close();
  return missed;
}

/** A live view of the administrator that is reopened when it ends; reopening counts as a reset. */
async function keepWatching(
  bed: ClusterTestbed,
  hub: HubName,
  onText: (text: string) => void,
): Promise<() => void> {
  const url = bed.hubUrls[hub];
  const { cookie } = await signIn(url);
  let isClosed = false;
  const open = () => openAnswer(`${url}/api/v1/stream`, { cookie }, onText);
  let view = await open();
  const reopen = (): void => {
    if (isClosed) return;
    open().then(
      (opened) => {
        view = opened;
        onText('event: reset');
        void view.ended.then(later);
      },
      () => later(),
    );
  };
  const later = (): void => void setTimeout(reopen, reopenAfterMs);
  void view.ended.then(later);
  return () => {
    isClosed = true;
    view.close();
  };
}
