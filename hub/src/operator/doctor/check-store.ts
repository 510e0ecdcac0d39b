import { join } from 'node:path';
import { storeFindings } from '../../domains/assets/storage/store-findings.ts';
import type { StoreSettings } from '../../domains/assets/storage/s3/store-settings.ts';
import type { Vault } from '../../platform/vault/vault.ts';
import type { Config } from '../../config/config.ts';
import type { connectDatabase } from '../../platform/db/connect.ts';
import { currentStoreWithSecret } from '../../domains/assets/index.ts';
import { probingStorages } from '../../wiring/configured-storages.ts';
import { checkOf, messageOf, type Finding } from './finding.ts';

const { right, wrong } = checkOf('Assets');
/** The findings that a store needs; the hub compensates for the lack of the others. */
const needed = ['reachable', 'deletes', 'clock'];

/** Where assets are stored, and what the object store can do; the check writes and deletes objects. */
export async function checkStore(
  config: Config,
  db: ReturnType<typeof connectDatabase> | undefined,
  vault: Vault | undefined,
): Promise<Finding[]> {
  const settings = config.objectStore ?? (await storeInDatabase(db, vault));
  if (settings === undefined)
    return config.peers === undefined
      ? [right(`They are kept in ${join(config.dataDir, 'assets')}.`)]
      : [
          wrong(
            'The hubs of a cluster share no disk, so uploads are refused: set CORRAL_S3_ENDPOINT and the settings beside it.',
          ),
        ];
  const where = `the bucket ${settings.bucket} at ${settings.endpoint}`;
  try {
    const found = storeFindings(await probingStorages(config).probe(settings, 'instance'));
    return [
      right(`They are kept in ${where}, which can be used.`),
      ...found
        .filter(({ isFine }) => !isFine)
        .map(({ name, text }) => (needed.includes(name) ? wrong : right)(text)),
    ];
  } catch (error) {
    return [wrong(`CORRAL_S3_ENDPOINT: ${where} cannot be used: ${messageOf(error)}`)];
  }
}

/** The store in the database, which another node may have set. */
async function storeInDatabase(
  db: ReturnType<typeof connectDatabase> | undefined,
  vault: Vault | undefined,
): Promise<StoreSettings | undefined> {
  if (db === undefined || vault === undefined) return undefined;
  const store = await currentStoreWithSecret(db, vault, null);
  if (store === undefined) return undefined;
  const { capabilities: _capabilities, ...settings } = store;
  return settings;
}
