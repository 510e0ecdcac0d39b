import { ActionError, objectStoreEndpoint, objectStorePrefix, objectStoreProblem } from '@corral/contract';
import type { Vault } from '../auth/vault.ts';
import type { Database } from '../db/connect.ts';
import { openedCurrentStore, type ObjectStoreSettings } from '../store/object-stores.ts';

/** The settings of a store, as an action takes them. */
export interface StoreFields {
  readonly endpoint: string;
  readonly publicEndpoint?: string | undefined;
  readonly bucket: string;
  readonly region?: string | undefined;
  readonly prefix?: string | undefined;
  readonly forcePathStyle?: boolean | undefined;
  readonly trustsSize?: boolean | undefined;
  readonly accessKeyId: string;
  readonly secretAccessKey?: string | undefined;
}

/** The settings of a store that may be saved, with the secret that belongs to them. */
export interface CheckedStore {
  readonly settings: ObjectStoreSettings;
  readonly secretAccessKey: string;
}

/**
 * Requires settings that keep the rules. Without a secret the stored one is taken, but only for the endpoint that it was stored for: it
 * must never be sent to another host.
 */
export async function mustBeStore(
  { tx, vault }: { tx: Database; vault: Vault },
  repositoryId: string,
  fields: StoreFields,
): Promise<CheckedStore> {
  const region = fields.region === '' ? undefined : fields.region;
  const problem = objectStoreProblem({ ...fields, region });
  if (problem !== undefined) throw new ActionError('Invalid', problem);
  const endpoint = objectStoreEndpoint(fields.endpoint);
  const { publicEndpoint } = fields;
  const settings = {
    endpoint,
    publicEndpoint: publicEndpoint === undefined ? undefined : objectStoreEndpoint(publicEndpoint),
    bucket: fields.bucket,
    region,
    prefix: objectStorePrefix(fields.prefix ?? ''),
    forcePathStyle: fields.forcePathStyle ?? true,
    trustsSize: fields.trustsSize ?? false,
    accessKeyId: fields.accessKeyId,
  };
  if (fields.secretAccessKey !== undefined) return { settings, secretAccessKey: fields.secretAccessKey };
  const current = await openedCurrentStore(tx, vault, repositoryId);
  if (current?.endpoint !== endpoint)
    throw new ActionError(
      'Invalid',
      'Secret access key is needed: none is stored for this endpoint. Please enter it.',
    );
  return { settings, secretAccessKey: current.secretAccessKey };
}

/** The refusal of new bytes where hubs share no disk and have no store. */
export function needsObjectStore(): ActionError {
  return new ActionError(
    'Invalid',
    'The nodes of this cluster share no disk, so assets need an object store: set one for the repository, or CORRAL_S3_ENDPOINT and the settings beside it for all.',
  );
}
