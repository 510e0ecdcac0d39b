import { TransferFailure } from './TransferFailure.ts';

const digestBytes = 32;

/** Reads the header Upload-Offset of tus. Throws a TransferFailure unless it is a whole number. */
export function readOffset(header: string | string[] | undefined): number {
  const offset = typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : undefined;
  if (offset !== undefined) return offset;
  throw new TransferFailure(
    400,
    'Send the header Upload-Offset with the number of bytes that are there already.',
  );
}

/** Reads the header Upload-Checksum of tus; undefined if there is none. Throws a TransferFailure unless it is a SHA-256. */
export function readChecksum(header: string | string[] | undefined): Buffer | undefined {
  if (header === undefined) return undefined;
  const [algorithm, value, ...rest] = String(header).trim().split(/\s+/, 3);
  const digest = Buffer.from(value ?? '', 'base64');
  const isWhole = rest.length === 0 && digest.length === digestBytes && digest.toString('base64') === value;
  if (algorithm?.toLowerCase() === 'sha256' && isWhole) return digest;
  throw new TransferFailure(
    400,
    'Send Upload-Checksum as sha256, a space and the base64 of the digest of this part.',
  );
}
