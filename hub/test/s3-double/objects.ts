import { createHash } from 'node:crypto';

/** An object of the double. */
export interface StoredObject {
  readonly bytes: Buffer;
  readonly metadata: Readonly<Record<string, string>>;
  /** The SHA-256 of the whole, or of the parts' SHA-256 with their number, as base64. */
  readonly checksum: string | undefined;
  readonly etag: string;
  readonly modifiedAt: Date;
}

/** An upload in parts that is not complete. */
export interface PartUpload {
  readonly key: string;
  readonly startedAt: Date;
  /** Whether each part has to come with its checksum. */
  readonly hasChecksums: boolean;
  readonly metadata: Readonly<Record<string, string>>;
  readonly parts: Map<number, Buffer>;
}

/** The MD5 of bytes, as S3 writes it in ETags. */
export function etagOf(bytes: Buffer): string {
  return `"${createHash('md5').update(bytes).digest('hex')}"`;
}

/** The ETags in a request that joins parts, in their order. */
export function etagsIn(body: Buffer): string[] {
  const text = body.toString().replaceAll('&quot;', '"');
  return [...text.matchAll(/<ETag>([^<]*)<\/ETag>/g)].map(([, etag = '']) => etag);
}

/** The SHA-256 of bytes as base64. */
export function checksumOf(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('base64');
}

/** An error as S3 writes it. */
export function errorXml(code: string, message = code): string {
  return `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>${message}</Message><Resource>secret-free</Resource></Error>`;
}

/** A listing of version 2. */
export function listingXml(
  bucket: string,
  listed: readonly (readonly [string, StoredObject])[],
  isTruncated: boolean,
): string {
  const contents = listed.map(
    ([key, { bytes, etag, modifiedAt }]) =>
      `<Contents><Key>${key}</Key><LastModified>${modifiedAt.toISOString()}</LastModified><ETag>${etag.replaceAll('"', '&quot;')}</ETag><Size>${bytes.length}</Size></Contents>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?><ListBucketResult><Name>${bucket}</Name><KeyCount>${listed.length}</KeyCount><IsTruncated>${isTruncated}</IsTruncated>${contents.join('')}</ListBucketResult>`;
}

/** The parts of an upload, by ascending number. */
export function sortedParts({ parts }: PartUpload): readonly (readonly [number, Buffer])[] {
  return [...parts].toSorted(([one], [other]) => one - other);
}

/** A page of the parts of an upload. */
export function partsXml(upload: PartUpload, after: number, max: number): string {
  const behind = sortedParts(upload).filter(([number]) => number > after);
  const listed = behind.slice(0, max).map(([number, bytes]) => {
    const checksum = upload.hasChecksums ? `<ChecksumSHA256>${checksumOf(bytes)}</ChecksumSHA256>` : '';
    return `<Part><PartNumber>${number}</PartNumber><ETag>${etagOf(bytes).replaceAll('"', '&quot;')}</ETag><Size>${bytes.length}</Size>${checksum}</Part>`;
  });
  const next = behind[max - 1]?.[0] ?? after;
  return `<?xml version="1.0" encoding="UTF-8"?><ListPartsResult><IsTruncated>${behind.length > max}</IsTruncated><NextPartNumberMarker>${next}</NextPartNumberMarker>${listed.join('')}</ListPartsResult>`;
}

/** The uploads that are not complete. */
export function uploadsXml(uploads: ReadonlyMap<string, PartUpload>): string {
  const listed = [...uploads].map(
    ([id, { key, startedAt }]) =>
      `<Upload><Key>${key}</Key><UploadId>${id}</UploadId><Initiated>${startedAt.toISOString()}</Initiated></Upload>`,
  );
  return `<?xml version="1.0" encoding="UTF-8"?><ListMultipartUploadsResult><IsTruncated>false</IsTruncated>${listed.join('')}</ListMultipartUploadsResult>`;
}
