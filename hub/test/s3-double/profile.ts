/** How the double behaves. */
export interface Profile {
  checksum: 'enforced' | 'ignored' | 'rejected';
  /** What `if-none-match` does. */
  conditional: 'enforced' | 'ignored' | 'rejected';
  reportsChecksum: boolean;
  ranges: boolean;
  /** How it answers a request for a part: as HTTP says, without the length of the body, or with the part one byte further. */
  rangeAnswer: 'right' | 'unsized' | 'shifted';
  /** Whether it compares a body with the digest that its signature covers. */
  checksSignedDigest: boolean;
  /** Whether an upload that is cut off becomes an object. */
  keepsShortUploads: boolean;
  /** Whether the bucket is in the host name. */
  isVirtualHost: boolean;
  clockAheadMs: number;
  /** How many of the next requests fail with 503. */
  failures: number;
  /** Whether it refuses every request, as after its key was revoked. */
  refuses: boolean;
  /** What it waits for before it stores what it received. */
  storesAfter: (key: string) => Promise<void>;
  /** What it waits for before it answers a PUT, HEAD or DELETE of an object, or a CreateMultipartUpload, UploadPart or CompleteMultipartUpload, that it has done. */
  answersAfter: (operation: string, key: string) => Promise<void>;
  /** What it waits for before it sends the bytes of an object. */
  sendsAfter: (key: string) => Promise<void>;
  /** If this returns a promise, it breaks the connection of a DELETE, and deletes the object when the promise resolves. */
  deletesLate: () => Promise<void> | undefined;
  /** Whether it breaks connections in the middle of the bytes that it sends. */
  cutsAnswers: boolean;
  /** Whether it sends the bytes of objects one by one, a few hundred in a second. */
  trickles: boolean;
  /** How many bytes a bucket takes. */
  capacityBytes: number;
}

/** A store that does what S3 documents. */
export const enforcing: Profile = {
  checksum: 'enforced',
  conditional: 'enforced',
  reportsChecksum: true,
  ranges: true,
  rangeAnswer: 'right',
  checksSignedDigest: true,
  keepsShortUploads: false,
  isVirtualHost: false,
  clockAheadMs: 0,
  failures: 0,
  refuses: false,
  storesAfter: () => Promise.resolve(),
  answersAfter: () => Promise.resolve(),
  sendsAfter: () => Promise.resolve(),
  deletesLate: () => undefined,
  cutsAnswers: false,
  trickles: false,
  capacityBytes: Infinity,
};
