import type { IncomingMessage } from 'node:http';
import { ActionError } from '@corral/contract';
import { notJson } from './failures.ts';
import { JsonReader } from '../executor/json-reader.ts';

/** How large the body of a request without a session or token may be, in bytes, whatever it asks for. */
export const anonymousBodyBytes = 64 * 1024;
/** A refused body is still received up to this size, so that the caller can read the response. */
const drainedBytes = { anonymous: 512 * 1024, signedIn: 16 * 1024 * 1024 } as const;

/** How fast: what a refused caller still sends would take the time of others. */
const drainedBytesPerMs = 4_096;

const jsonType = /^application\/json[ \t]*(?:;[ \t]*charset="?utf-8"?[ \t]*)?$/i;

/** Throws an `ActionError` unless the Content-Type of the request is JSON. */
export function mustBeJson(request: IncomingMessage): void {
  if (jsonType.test(request.headers['content-type'] ?? '')) return;
  throw notJson();
}

/** How a body is read. */
export interface BodyLimits {
  /** How large it may be, in bytes. */
  readonly maxBytes: number;
  /** Whether the caller is not authenticated. */
  readonly isAnonymous: boolean;
}

/** Reads the JSON body of a request. Throws an `ActionError` of kind TooLarge or Invalid. */
export async function readJson(request: IncomingMessage, limits: BodyLimits): Promise<unknown> {
  mustBeJson(request);
  if (request.headers['content-encoding'] !== undefined)
    throw new ActionError('Invalid', 'Send the body without a Content-Encoding.');
  const reader = new JsonReader('body', limits.maxBytes);
  await receive(request, reader, limits.isAnonymous ? drainedBytes.anonymous : drainedBytes.signedIn);
  return reader.end();
}

/** Receives nothing for a time. */
function restFrom(request: IncomingMessage, ms: number): void {
  request.pause();
  setTimeout(() => request.resume(), ms);
}

/** Hands the body to the reader, which bounds what it keeps. A body beyond `drainBytes` is not received to its end. */
function receive(request: IncomingMessage, reader: JsonReader, drainBytes: number): Promise<void> {
  if (Number(request.headers['content-length'] ?? 0) > drainBytes) {
    reader.refuseSize();
    return Promise.resolve();
  }
  return new Promise((resolve, reject) => {
    let sizeBytes = 0;
    const onCut = (): void => reject(new ActionError('Invalid', 'The body ended early.'));
    request.on('data', (chunk: Buffer) => {
      sizeBytes += chunk.length;
      reader.push(chunk);
      if (sizeBytes > drainBytes) resolve();
      else if (reader.isRefused) restFrom(request, chunk.length / drainedBytesPerMs);
    });
    request.on('end', () => {
      request.off('close', onCut);
      resolve();
    });
    // A client that leaves in the middle of its body is no fault of the hub.
    request.on('error', onCut);
    request.on('close', onCut);
  });
}
