import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { ProxyFailure } from './ProxyFailure.ts';

/** How the body of a request is framed for the device. undici rebuilds the framing from what Node's parser understood. */
interface RequestBody {
  readonly kind: 'none' | 'fixed-length' | 'chunked';
  /** The length for undici as name and value; empty when there is none to send. */
  readonly lengthHeader: readonly string[];
}

const none: RequestBody = { kind: 'none', lengthHeader: [] };
const chunked: RequestBody = { kind: 'chunked', lengthHeader: [] };

/** Throws a ProxyFailure for a transfer coding other than chunked, which Node's server would not decode. */
export function requestBodyOf({ headers }: IncomingMessage): RequestBody {
  const coding = headers['transfer-encoding'];
  if (coding !== undefined) {
    if (coding.trim().toLowerCase() !== 'chunked') throw new ProxyFailure('malformed');
    return chunked;
  }
  const sizeBytes = Number(headers['content-length'] ?? 0);
  if (!Number.isSafeInteger(sizeBytes) || sizeBytes < 0) throw new ProxyFailure('malformed');
  if (sizeBytes === 0) return none;
  return { kind: 'fixed-length', lengthHeader: ['Content-Length', String(sizeBytes)] };
}

/**
 * The body as it comes, for undici, which sends it no faster than the device reads it; null when there is none. After an early response undici
 * destroys it, and the rest of the body is dropped. undici does not get the request itself, since it would destroy that too.
 */
export function requestBodyStream(request: IncomingMessage): Readable | null {
  if (requestBodyOf(request).kind === 'none') return null;
  const onData = (data: Buffer): void => void (body.push(data) || request.pause());
  const onEnd = (): void => void body.push(null);
  const body = new Readable({
    read: () => void request.resume(),
    destroy(error, done) {
      request.off('data', onData).off('end', onEnd).resume();
      done(error);
    },
  });
  request.on('data', onData).on('end', onEnd);
  return body.on('error', () => undefined);
}
