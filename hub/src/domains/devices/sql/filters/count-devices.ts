import type { Database } from '../../../../platform/db/connect.ts';
import { countFilteredDevices } from '../filtered-devices.ts';
import { readDeviceFilter } from './device-filter.ts';

const mostCounted = 10_000;

/** How many devices a filter finds, as far as they are counted. */
interface DeviceCount {
  readonly count: number;
  /** False where there are more. */
  readonly isAll: boolean;
}

/** Counts the devices of a project that a filter finds, up to 10,000. Throws a `FilterError` for a filter with a mistake. */
export async function countDevices(
  tx: Database,
  filterText: string,
  of: Parameters<typeof readDeviceFilter>[2],
): Promise<DeviceCount> {
  const filter = await readDeviceFilter(tx, filterText, of);
  const count = await countFilteredDevices(tx, { projectId: of.projectId, filter }, mostCounted + 1);
  return { count: Math.min(count, mostCounted), isAll: count <= mostCounted };
}
