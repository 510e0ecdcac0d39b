import { createHash } from 'node:crypto';

const tailKeyForm = /(?:^|\/)\.corral-uploads\/[0-9a-f]{32}-\d+$/;

/** The key of an object for the bytes of an upload behind `offset` that are too few for a part; below the prefix of the store. */
export function uploadTailKey(prefix: string, uploadId: string, offset: number): string {
  const name = createHash('sha256').update(uploadId).digest('hex').slice(0, 32);
  return `${prefix === '' ? '' : `${prefix}/`}.corral-uploads/${name}-${offset}`;
}

/** Whether an object holds the last bytes of an unfinished upload. */
export function isUploadTail(key: string): boolean {
  return tailKeyForm.test(key);
}
