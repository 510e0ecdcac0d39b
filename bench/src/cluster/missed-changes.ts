import type { HubName } from '@corral/tools';
import { administrator } from '../bench-hub.ts';
import { prepareDevices } from '../devices.ts';
import type { ClusterBed } from './cluster-bed.ts';
import { openAnswer, signIn } from './person.ts';

/** Changes that are later than this in a live view, which has not been told to reload, are missed. */
const missedAfterMs = 15_000;
/** As the console waits before it opens a live view again, which then reloads everything. */
const reopenAfterMs = 1_000;

/**
 * Changes a device at one hub again and again, and counts the changes of which the live view of another is told nothing within 15 s, or
 * within what `allowMs` allows besides.
 */
export async function countMissed(
  bed: ClusterBed,
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
    const told = new Promise<boolean>((resolve) => {
      const seen = (): void => (waiting.delete(seen), resolve(true));
      waiting.add(seen);
      setTimeout(() => (waiting.delete(seen), resolve(false)), missedAfterMs + allowMs);
    });
    await bed
      .userOf('south')
      .executor.invoke('devices_SetDeviceName', { deviceId, name: `changed ${change}` });
    if (!(await told)) missed += 1;
  }
  close();
  return missed;
}

/** A live view of the administrator that is opened again when it ends; what it then loads is told as a reset. */
async function keepWatching(
  bed: ClusterBed,
  hub: HubName,
  heard: (text: string) => void,
): Promise<() => void> {
  const url = bed.hubUrls[hub];
  const { cookie } = await signIn(administrator, url, administrator.password);
  let isClosed = false;
  const open = () => openAnswer(`${url}/api/v1/stream`, { cookie }, heard);
  let view = await open();
  const reopen = (): void => {
    if (isClosed) return;
    open().then(
      (opened) => {
        view = opened;
        heard('event: reset');
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
