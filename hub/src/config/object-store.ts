import { objectStoreEndpoint, objectStorePublicEndpoint } from '@corral/contract';
import { ConfigError } from './ConfigError.ts';
import { variableOf, type Settings } from './keys.ts';

/** The S3-compatible store of the instance. */
export interface ObjectStoreConfig {
  readonly endpoint: string;
  /** `none` if only the hub reaches the store. */
  readonly publicEndpoint: string | undefined;
  readonly bucket: string;
  readonly region: string | undefined;
  readonly prefix: string;
  readonly forcePathStyle: boolean;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
}

const required = ['s3Endpoint', 's3Bucket', 's3AccessKeyId', 's3SecretAccessKey'] as const;

/** The store that the settings describe; undefined without any of them. Throws a `ConfigError` if one that is needed is missing. */
export function objectStoreOf(settings: Settings): ObjectStoreConfig | undefined {
  const [endpoint, bucket, accessKeyId, secretAccessKey] = required.map((name) => settings[name]);
  const set = required.find((name) => settings[name] !== undefined);
  if (set === undefined) return undefined;
  const missing = required.find((name) => settings[name] === undefined);
  if (missing !== undefined)
    throw new ConfigError(`${variableOf(missing)} is missing: ${variableOf(set)} is set without it.`);
  return {
    endpoint: objectStoreEndpoint(endpoint ?? ''),
    publicEndpoint: objectStorePublicEndpoint(settings.s3PublicEndpoint),
    bucket: bucket ?? '',
    region: settings.s3Region,
    prefix: settings.s3Prefix ?? '',
    forcePathStyle: settings.s3ForcePathStyle ?? true,
    accessKeyId: accessKeyId ?? '',
    secretAccessKey: secretAccessKey ?? '',
  };
}
