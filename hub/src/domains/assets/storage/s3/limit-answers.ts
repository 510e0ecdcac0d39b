import type { IncomingMessage } from 'node:http';
import type { S3Client } from '@aws-sdk/client-s3';
import { StorageError } from '../asset-storage.ts';
import { storeName } from './store-faults.ts';
import type { StoreLimits } from './store-limits.ts';
import type { StoreSettings } from './store-settings.ts';

interface Response {
  readonly statusCode: number;
  body: unknown;
}

/**
 * Bounds what the client keeps of an answer: the library collects all of the body, however long it is. The connection of an answer that is longer is closed, and the request rejects with a
 * StorageError. The bytes of objects are not collected.
 */
export function limitAnswers(
  client: S3Client,
  settings: StoreSettings,
  { maxAnswerBytes, maxErrorBytes }: StoreLimits,
): void {
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        const result = await next(args);
        const response = result.response as Response;
        const isError = response.statusCode >= 300;
        if (!isError && commandName === 'GetObjectCommand') return result;
        const maxBytes = isError ? maxErrorBytes : maxAnswerBytes;
        response.body = await collect(response.body as IncomingMessage, maxBytes, settings);
        return result;
      },
    // The last step before the request is sent, so the first one that sees the answer.
    { step: 'deserialize', priority: 'low', name: 'limitAnswers' },
  );
}

async function collect(body: IncomingMessage, maxBytes: number, settings: StoreSettings): Promise<Buffer> {
  const pieces: Buffer[] = [];
  let sizeBytes = 0;
  for await (const piece of body) {
    sizeBytes += piece.length;
    if (sizeBytes > maxBytes)
      throw new StorageError(
        'Unreachable',
        `${storeName(settings)} answers with more than ${maxBytes / 1024} KiB: check whether there is an S3-compatible store.`,
      );
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}
