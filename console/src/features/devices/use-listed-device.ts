import type { Id } from '@corral/contract';
import { useQuery } from '@tanstack/react-query';
import { projectDevicesQuery } from '../../data/queries-projects.ts';
import type { ListedDevice } from '../../parts/listed-device.ts';

/** A device as the list of its project has it, or read on its own outside the first page; and whether it is still being read. */
export function useListedDevice(
  projectId: Id<'project'>,
  deviceId: Id<'device'>,
): { device: ListedDevice | undefined; isReading: boolean } {
  const list = useQuery(projectDevicesQuery(projectId));
  const listed = list.data?.devices.find((device) => device.deviceId === deviceId);
  const isAlone = listed === undefined && !list.isPending;
  const alone = useQuery({
    ...projectDevicesQuery(projectId, { filter: `id=${deviceId}`, limit: 1 }),
    enabled: isAlone,
  });
  const device = listed ?? alone.data?.devices.find((one) => one.deviceId === deviceId);
  return { device, isReading: device === undefined && !(isAlone && alone.isSuccess) };
}
