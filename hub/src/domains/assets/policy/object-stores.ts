import {
  ActionError,
  objectStoreEndpoint,
  objectStorePrefix,
  objectStoreProblem,
  objectStorePublicEndpoint,
} from '@corral/contract';
import type { Vault } from '../../../platform/vault/vault.ts';
import type { Database } from '../../../platform/db/connect.ts';
import {
  currentObjectStore,
  currentStoreWithSecret,
  type ObjectStoreSettings,
} from '../sql/object-stores.ts';

/** The settings of a store in the input of an action. A public endpoint or style of paths that is absent stays as it is. */
export interface StoreFields {
  readonly endpoint: string;
  /** Empty for the same address as that of the hub. */
  readonly publicEndpoint?: string | undefined;
  readonly bucket: string;
  readonly region?: string | undefined;
  readonly prefix?: string | undefined;
  readonly forcePathStyle?: boolean | undefined;
  readonly accessKeyId: string;
  readonly secretAccessKey?: string | undefined;
}

/** Valid settings of a store, with its secret. */
export interface ValidStore {
  readonly settings: ObjectStoreSettings;
  readonly secretAccessKey: string;
}

/**
 * Requires valid settings. What a caller does not name, since clients of its generation do not know it, is kept from the present store if endpoint and bucket stay the
 * same. Without a secret they keep the stored one, but only for the same endpoint, so that the secret is never sent to another host.
 */
export async function mustBeValidStore(
  { tx, vault }: { tx: Database; vault: Vault },
  repositoryId: string,
  fields: StoreFields,
): Promise<ValidStore> {
  const region = fields.region === '' ? undefined : fields.region;
  const publicEndpoint = fields.publicEndpoint === '' ? undefined : fields.publicEndpoint;
  const problem = objectStoreProblem({ ...fields, publicEndpoint, region });
  if (problem !== undefined) throw new ActionError('Invalid', problem);
  const endpoint = objectStoreEndpoint(fields.endpoint);
  const present = await currentObjectStore(tx, repositoryId);
  const isSame = present?.endpoint === endpoint && present.bucket === fields.bucket;
  const kept = isSame ? present : undefined;
  const settings = {
    endpoint,
    publicEndpoint:
      fields.publicEndpoint === undefined ? kept?.publicEndpoint : objectStorePublicEndpoint(publicEndpoint),
    bucket: fields.bucket,
    region,
    prefix: objectStorePrefix(fields.prefix ?? ''),
    forcePathStyle: fields.forcePathStyle ?? kept?.forcePathStyle ?? true,
    accessKeyId: fields.accessKeyId,
  };
  if (fields.secretAccessKey !== undefined) return { settings, secretAccessKey: fields.secretAccessKey };
  const current = await currentStoreWithSecret(tx, vault, repositoryId);
  if (current?.endpoint !== endpoint)
    throw new ActionError(
      'Invalid',
      'Secret access key is needed: none is stored for this endpoint. Please enter it.',
    );
  return { settings, secretAccessKey: current.secretAccessKey };
}

/** The error for new assets in a cluster whose nodes share no disk and have no object store. */
export function needsObjectStore(): ActionError {
  return new ActionError(
    'Invalid',
    'The nodes of this cluster share no disk, so assets need an object store: set one for the repository, or CORRAL_S3_ENDPOINT and the settings beside it for all.',
  );
}
