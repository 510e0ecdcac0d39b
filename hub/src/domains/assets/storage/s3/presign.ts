import { GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3';
import { getSignedUrl } from '@aws-sdk/s3-request-presigner';
import type { DirectAccess } from '../asset-storage.ts';
import type { Connection } from './connection.ts';
import { assetMetadata } from './metadata.ts';
import { singlePutBytes } from './write-object.ts';

/** The library would move these into the query, where stores ignore them. */
const unhoistableHeaders = new Set([
  'x-amz-checksum-sha256',
  'x-amz-meta-nexigon-asset-id',
  'x-amz-meta-nexigon-digest',
]);
const signableHeaders = new Set(['host', 'content-length', 'if-none-match', ...unhoistableHeaders]);
const maxTtlSecs = 7 * 86_400;

/** Makes URLs with which clients reach the store directly. */
export function createDirectAccess({ signer, settings }: Connection): DirectAccess {
  const Bucket = settings.bucket;
  return {
    async presignPut(Key, { sizeBytes, digest, assetId, ttlSecs }) {
      const { checksum, conditional } = settings.capabilities ?? {};
      // An upload that is not pinned to its bytes could overwrite verified ones as long as its URL is valid.
      const isPinned = checksum === 'enforced' && conditional === true;
      if (!isPinned || sizeBytes === 0 || sizeBytes > singlePutBytes) return undefined;
      const metadata = assetMetadata(assetId, digest);
      const checksumText = digest.toString('base64');
      const command = new PutObjectCommand({
        Bucket,
        Key,
        ContentLength: sizeBytes,
        ChecksumSHA256: checksumText,
        IfNoneMatch: '*',
        Metadata: metadata,
      });
      const expiresIn = Math.min(ttlSecs, maxTtlSecs);
      const url = await getSignedUrl(signer, command, { expiresIn, unhoistableHeaders, signableHeaders });
      const named = Object.entries(metadata).map(([name, value]) => [`x-amz-meta-${name}`, value]);
      return {
        url,
        headers: {
          'x-amz-checksum-sha256': checksumText,
          'if-none-match': '*',
          ...Object.fromEntries(named),
        },
      };
    },
    presignGet(Key, { ttlSecs, contentDisposition, cacheControl }) {
      const command = new GetObjectCommand({
        Bucket,
        Key,
        ResponseContentType: 'application/octet-stream',
        ...(contentDisposition === undefined ? {} : { ResponseContentDisposition: contentDisposition }),
        ...(cacheControl === undefined ? {} : { ResponseCacheControl: cacheControl }),
      });
      return getSignedUrl(signer, command, { expiresIn: Math.min(ttlSecs, maxTtlSecs) });
    },
  };
}
