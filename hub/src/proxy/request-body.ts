import type { IncomingMessage } from 'node:http';
import type { DeviceStream } from './DeviceStream.ts';
import { ProxyFailure } from './ProxyFailure.ts';

/** How the body of a request is framed for the device. The framing is rebuilt from what Node's parser understood. */
interface RequestBody {
  readonly kind: 'none' | 'fixed-length' | 'chunked';
  /** The header for the framing with its line end; empty when none is needed. */
  readonly header: string;
}

const none: RequestBody = { kind: 'none', header: '' };
const empty: RequestBody = { kind: 'none', header: 'Content-Length: 0\r\n' };
const chunked: RequestBody = { kind: 'chunked', header: 'Transfer-Encoding: chunked\r\n' };
const methodsWithBody = new Set(['POST', 'PUT', 'PATCH']);

/** Throws a ProxyFailure for a transfer coding other than chunked, which Node's server would not decode. */
export function requestBodyOf({ method = '', headers }: IncomingMessage): RequestBody {
  const coding = headers['transfer-encoding'];
  if (coding !== undefined) {
    if (coding.trim().toLowerCase() !== 'chunked') throw new ProxyFailure('malformed');
    return chunked;
  }
  const length = headers['content-length'];
  if (length === undefined) return methodsWithBody.has(method) ? empty : none;
  const sizeBytes = Number(length);
  if (!Number.isSafeInteger(sizeBytes) || sizeBytes < 0) throw new ProxyFailure('malformed');
  if (sizeBytes === 0) return empty;
  return { kind: 'fixed-length', header: `Content-Length: ${sizeBytes}\r\n` };
}

const lineEnd = Buffer.from('\r\n');
const lastChunk = Buffer.from('0\r\n\r\n');

/** Sends the body as it comes and no faster than the device reads it. After an early response the device reads no more, and the rest of the body is dropped. */
export function sendRequestBody(request: IncomingMessage, stream: DeviceStream): void {
  const { kind } = requestBodyOf(request);
  if (kind === 'none') return;
  const framed = (data: Buffer): Buffer =>
    kind === 'fixed-length'
      ? data
      : Buffer.concat([Buffer.from(`${data.length.toString(16)}\r\n`), data, lineEnd]);
  request.on('data', (data: Buffer) => {
    request.pause();
    void stream.write(framed(data)).then(() => request.resume());
  });
  if (kind === 'chunked') request.on('end', () => void stream.write(lastChunk));
}
