import { onTestFinished } from 'vitest';
import type { AssetStorage } from '../src/domains/assets/storage/asset-storage.ts';
import type { AddressRule } from '../src/platform/outgoing/address-rule.ts';
import { connect } from '../src/domains/assets/storage/s3/connection.ts';
import { createS3Storage } from '../src/domains/assets/storage/s3/s3-storage.ts';
import type { StoreLimits } from '../src/domains/assets/storage/s3/store-limits.ts';
import type { StoreCapabilities, StoreSettings } from '../src/domains/assets/storage/s3/store-settings.ts';

/** What the probe finds at a store that does everything. */
export const everything: StoreCapabilities = {
  checksum: 'enforced',
  conditional: true,
  reportsChecksum: true,
  ranges: true,
  discardsShortUploads: true,
  deletes: true,
  presignedUrls: true,
  clockAheadSecs: 0,
};

interface Opening {
  /** The largest object that one PUT carries. */
  readonly mostAtOnce?: number;
  readonly rule?: AddressRule;
  readonly limits?: Partial<StoreLimits>;
}

/** Opens a store for the length of a test; by default at every address. */
export function openStore(
  settings: StoreSettings,
  { mostAtOnce, rule = () => undefined, limits }: Opening = {},
): AssetStorage {
  const connection = connect({ capabilities: everything, ...settings }, rule, limits);
  onTestFinished(() => connection.close());
  return createS3Storage(connection, mostAtOnce);
}
