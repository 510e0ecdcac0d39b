import type { IncomingMessage } from 'node:http';
import type { DeviceStream } from './device-stream.ts';
import { ProxyFailure } from './ProxyFailure.ts';

/** How the body of a request is delimited towards the device: said anew, by what Node has made of the request. */
interface RequestBody {
  readonly kind: 'none' | 'measured' | 'chunked';
  /** The header that says so, with the end of its line; empty where none is needed. */
  readonly header: string;
}

const none: RequestBody = { kind: 'none', header: '' };
const empty: RequestBody = { kind: 'none', header: 'Content-Length: 0\r\n' };
const chunked: RequestBody = { kind: 'chunked', header: 'Transfer-Encoding: chunked\r\n' };
const usuallyWithBody = new Set(['POST', 'PUT', 'PATCH']);

/** Throws a ProxyFailure for a body in a coding that is not undone here. */
export function requestBodyOf({ method = '', headers }: IncomingMessage): RequestBody {
  const coding = headers['transfer-encoding'];
  if (coding !== undefined) {
    if (coding.trim().toLowerCase() !== 'chunked') throw new ProxyFailure('malformed');
    return chunked;
  }
  const length = headers['content-length'];
  if (length === undefined) return usuallyWithBody.has(method) ? empty : none;
  const sizeBytes = Number(length);
  if (!Number.isSafeInteger(sizeBytes) || sizeBytes < 0) throw new ProxyFailure('malformed');
  if (sizeBytes === 0) return empty;
  return { kind: 'measured', header: `Content-Length: ${sizeBytes}\r\n` };
}

const lineEnd = Buffer.from('\r\n');
const lastChunk = Buffer.from('0\r\n\r\n');

/** Passes the body on as it comes and no faster than the device takes it. A device that has answered early reads no more; what the client still sends then goes nowhere. */
export function passRequestBody(request: IncomingMessage, stream: DeviceStream): void {
  const { kind } = requestBodyOf(request);
  if (kind === 'none') return;
  const framed = (data: Buffer): Buffer =>
    kind === 'measured'
      ? data
      : Buffer.concat([Buffer.from(`${data.length.toString(16)}\r\n`), data, lineEnd]);
  request.on('data', (data: Buffer) => {
    request.pause();
    void stream.write(framed(data)).then(() => request.resume());
  });
  if (kind === 'chunked') request.on('end', () => void stream.write(lastChunk));
}
