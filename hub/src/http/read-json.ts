import type { IncomingMessage } from 'node:http';
import { ActionError } from '@corral/contract';
import { notJson } from './failures.ts';
import { parseJson } from './parse-json.ts';

/** How large the body of a request may be, in bytes. */
export const bodyLimits = { anonymous: 64 * 1024, signedIn: 8 * 1024 * 1024 } as const;

const jsonType = /^application\/json[ \t]*(?:;[ \t]*charset="?utf-8"?[ \t]*)?$/i;

/** Throws an `ActionError` where the body is not announced as JSON. */
export function mustBeJson(request: IncomingMessage): void {
  if (jsonType.test(request.headers['content-type'] ?? '')) return;
  throw notJson();
}

/** Reads the JSON body of a request. Throws an `ActionError` of kind TooLarge or Invalid. */
export async function readJson(request: IncomingMessage, limitBytes: number): Promise<unknown> {
  mustBeJson(request);
  if (request.headers['content-encoding'] !== undefined)
    throw new ActionError('Invalid', 'Send the body without a Content-Encoding.');
  return parseJson(await readBody(request, limitBytes));
}

/** A body that is too large is still received, up to this many times the limit, so that the caller gets to read the answer. */
const patience = 8;

function readBody(request: IncomingMessage, limitBytes: number): Promise<Buffer> {
  // Made only when it is thrown: the stack of an error costs more than the rest of a small request.
  const tooLarge = () => new ActionError('TooLarge', `The body is larger than ${limitBytes / 1024} KiB.`);
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > limitBytes * patience) return Promise.reject(tooLarge());
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    const onCut = (): void => reject(new ActionError('Invalid', 'The body ended early.'));
    request.on('data', (chunk: Buffer) => {
      sizeBytes += chunk.length;
      if (sizeBytes <= limitBytes) chunks.push(chunk);
      else chunks.length = 0;
      if (sizeBytes > limitBytes * patience) reject(tooLarge());
    });
    request.on('end', () => {
      request.off('close', onCut);
      const [only] = chunks;
      if (sizeBytes > limitBytes) reject(tooLarge());
      else resolve(chunks.length === 1 && only !== undefined ? only : Buffer.concat(chunks));
    });
    request.on('error', reject);
    request.on('close', onCut);
  });
}
