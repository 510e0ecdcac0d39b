import { ActionError, sizeInWords, writeSize } from '@corral/contract';
import type { Database } from '../../../platform/db/connect.ts';
import { sumAssets, type Quotas } from '../sql/asset-creation.ts';
import { readDeviceRoom } from '../../projects/index.ts';

/** Requires that a repository, including the additions of this transaction, is within its quotas. */
export async function mustBeWithinQuotas(tx: Database, repositoryId: string, quotas: Quotas): Promise<void> {
  const { max_bytes: maxBytes, max_assets: maxAssets } = quotas;
  if (maxBytes === null && maxAssets === null) return;
  const { assets, bytes } = await sumAssets(tx, repositoryId);
  const remedy = 'Delete assets that are no longer used, or ask an administrator for a larger quota.';
  if (maxAssets !== null && assets > maxAssets)
    throw new ActionError('Invalid', `The repository may have at most ${maxAssets} assets. ${remedy}`);
  if (maxBytes !== null && bytes > maxBytes)
    throw new ActionError(
      'Invalid',
      `With this asset the repository would have ${sizesInWords(bytes, maxBytes)}. ${remedy}`,
    );
}

/** Bytes where both would read the same in larger units. */
function sizesInWords(bytes: number, maxBytes: number): string {
  const [size, most] = [sizeInWords(bytes), sizeInWords(maxBytes)];
  return size === most ? `${bytes} of at most ${maxBytes} bytes` : `${size} of at most ${most}`;
}

/** The failure of a write with which a device would store more bytes than it may. */
export function overDeviceQuota(quotaBytes: number): ActionError {
  return new ActionError(
    'Invalid',
    `The properties and the metadata of this device would have more than the ${writeSize(quotaBytes)} that it may store. Remove some, or ask an administrator for a larger quota.`,
  );
}

/** Requires that a project may have another device. Devices that are added at the same time may exceed the quota by their number. */
export async function mustHaveRoomForDevice(tx: Database, projectId: string): Promise<void> {
  const { devices, maxDevices } = await readDeviceRoom(tx, projectId);
  if (devices >= maxDevices)
    throw new ActionError(
      'Invalid',
      `The project may have at most ${maxDevices} devices. Delete some that are no longer used, or ask an administrator for a larger quota.`,
    );
}
