import { noPublicEndpoint } from '@corral/contract';

/** How a store treats what the hub asks of it, as the probe found. */
export interface StoreCapabilities {
  /** What happens with the checksum that an upload announces. */
  readonly checksum: 'enforced' | 'ignored' | 'rejected';
  /** Whether an upload with `if-none-match: *` never overwrites. */
  readonly conditional: boolean;
  /** Whether the store returns the checksum of an object. */
  readonly reportsChecksum: boolean;
  readonly ranges: boolean;
  /** Whether an upload that is cut off leaves no object. */
  readonly discardsShortUploads: boolean;
  readonly deletes: boolean;
  /** Whether a presigned URL works at the public endpoint, as seen from the hub. */
  readonly presignedUrls: boolean;
  /** How far the clock of the store is ahead of the hub's, in seconds. */
  readonly clockAheadSecs: number;
  /** True if a presigned URL works only when it is signed by the clock of the store. */
  readonly isClockInTheWay?: boolean | undefined;
  /** True if the settings say that only the hub reaches the store, so that no presigned URL was tried. */
  readonly isForHubOnly?: boolean | undefined;
}

/** An S3-compatible store. */
export interface StoreSettings {
  readonly endpoint: string;
  /** Where clients reach the store, if that is another address; `none` if they cannot. */
  readonly publicEndpoint?: string | undefined;
  readonly bucket: string;
  readonly region?: string | undefined;
  /** The beginning of all keys, without a slash at the end; empty for none. */
  readonly prefix: string;
  /** Whether the bucket is in the path of a URL, not in its host. */
  readonly forcePathStyle: boolean;
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** Absent before the first probe: then everything goes through the hub. */
  readonly capabilities?: StoreCapabilities | undefined;
}

/** Whether clients may get URLs of a store. */
export function isForClients({ publicEndpoint }: StoreSettings): boolean {
  return publicEndpoint !== noPublicEndpoint;
}
