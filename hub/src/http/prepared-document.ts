import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';

/** A document in every encoding that it is sent in, with its entity tag. */
export interface PreparedDocument {
  readonly etag: string;
  /** The bytes and their Content-Encoding, for the Accept-Encoding of a request. */
  encodedFor(accepted: string | undefined): {
    readonly bytes: Buffer;
    readonly encoding: 'br' | 'gzip' | undefined;
  };
}

/** Good compression in 10 ms for half a megabyte; it runs on another thread. */
const quality = { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } };

/** Encodes and compresses a document once, so that each answer costs no more than its bytes. */
export async function prepareDocument(text: string): Promise<PreparedDocument> {
  const plain = Buffer.from(text);
  const [br, gzipped] = await Promise.all([
    promisify(brotliCompress)(plain, quality),
    promisify(gzip)(plain),
  ]);
  return {
    etag: `"${createHash('sha256').update(plain).digest('base64url')}"`,
    encodedFor(accepted = '') {
      if (accepts(accepted, 'br')) return { bytes: br, encoding: 'br' };
      return accepts(accepted, 'gzip')
        ? { bytes: gzipped, encoding: 'gzip' }
        : { bytes: plain, encoding: undefined };
    },
  };
}

/** Whether an Accept-Encoding names an encoding, and not with the weight 0. */
function accepts(accepted: string, encoding: string): boolean {
  return new RegExp(`(?:^|,)\\s*${encoding}\\s*(?:;\\s*q=(?!0(?:\\.0*)?\\s*(?:,|$))|,|$)`, 'i').test(
    accepted,
  );
}
