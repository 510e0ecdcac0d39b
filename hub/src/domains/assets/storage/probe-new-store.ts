import { ActionError } from '@corral/contract';
import { StorageError } from './asset-storage.ts';
import type { StoreCapabilities, StoreSettings } from './s3/store-settings.ts';
import type { Storages } from './storages.ts';

/**
 * What a store that is to be saved enforces; undefined if it does not answer now, which does not keep it from being saved. A store that
 * refuses the credentials or has no such bucket is an error with a sentence and the store's code.
 */
export async function probeNewStore(
  storages: Storages,
  settings: StoreSettings,
): Promise<StoreCapabilities | undefined> {
  try {
    return await storages.probe(settings, 'repository');
  } catch (error) {
    if (!(error instanceof StorageError)) throw error;
    if (error.fault === 'Refused') throw new ActionError('Invalid', error.message);
    return undefined;
  }
}
