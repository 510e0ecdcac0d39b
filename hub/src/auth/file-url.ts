import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Actor, Id } from '@corral/contract';

/** The purpose of the instance key that signs these URLs. */
export const fileUrlKeyPurpose = 'file-urls';

/** How long a URL is valid, in milliseconds. */
const validMs = 300_000;

/** Who may fetch or put which file of a device. */
export interface FileGrant {
  readonly deviceId: Id<'device'>;
  readonly path: string;
  readonly access: 'Read' | 'Write';
  /** Of the file to put. */
  readonly sizeBytes?: number | undefined;
  readonly digest?: string | undefined;
  readonly actor: Actor;
  /** Raw ids. */
  readonly holder: {
    readonly userId: string;
    readonly loginSessionId: string | undefined;
    readonly tokenId: string | undefined;
  };
}

/** The path and query of a URL that fetches a file, or puts it. */
export function signFilePath(key: Buffer, grant: FileGrant, now: Date): string {
  const text = JSON.stringify({ ...grant, expiresMs: now.getTime() + validMs });
  const query = new URLSearchParams({
    grant: Buffer.from(text).toString('base64url'),
    signature: signatureOf(key, text).toString('base64url'),
  });
  return `/api/v1/files/${grant.deviceId}?${query.toString()}`;
}

/** The grant of a URL; undefined where this hub has not signed it, or it has expired. */
export function readFileUrl(key: Buffer, query: URLSearchParams, now: Date): FileGrant | undefined {
  const text = Buffer.from(query.get('grant') ?? '', 'base64url').toString();
  const presented = Buffer.from(query.get('signature') ?? '', 'base64url');
  const expected = signatureOf(key, text);
  if (presented.length !== expected.length || !timingSafeEqual(presented, expected)) return undefined;
  const { expiresMs, ...grant } = JSON.parse(text) as FileGrant & { readonly expiresMs: number };
  return expiresMs > now.getTime() ? grant : undefined;
}

const signatureOf = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();
