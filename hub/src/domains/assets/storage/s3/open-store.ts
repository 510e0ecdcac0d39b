import type { AddressRule } from '../../../../platform/outgoing/address-rule.ts';
import type { AssetStorage } from '../asset-storage.ts';
import { connect } from './connection.ts';
import { createS3Storage } from './s3-storage.ts';
import type { StoreLimits } from './store-limits.ts';
import type { StoreSettings } from './store-settings.ts';

export { probeStore } from './probe.ts';

/** Opens a store. Connections are made when they are needed, and end when they are idle. */
export function openStore(
  settings: StoreSettings,
  rule: AddressRule,
  limits: Partial<StoreLimits>,
): AssetStorage {
  return createS3Storage(connect(settings, rule, limits));
}
