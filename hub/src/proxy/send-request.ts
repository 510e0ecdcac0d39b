import type { IncomingMessage } from 'node:http';
import type { DeviceStream } from './DeviceStream.ts';
import type { FlatHeaders } from './headers.ts';
import { ProxyFailure } from './ProxyFailure.ts';
import { requestBodyOf, sendRequestBody } from './request-body.ts';
import { responseBodyOf, type ResponseBody } from './response-body.ts';
import { ResponseHeadParser, valuesOf, type ResponseHead } from './response-head.ts';
import type { PendingResponse } from './ResponseTimeout.ts';

/** The head of a device's response, and the parser of its body. */
export interface DeviceResponse {
  readonly stream: DeviceStream;
  readonly head: ResponseHead;
  readonly body: ResponseBody;
  /** The bytes that arrived together with the head. */
  readonly rest: Buffer;
}

/** One request as it is sent to a device. */
export interface DeviceRequest {
  readonly request: IncomingMessage;
  /** The path that is sent to the device. */
  readonly path: string;
  readonly headers: FlatHeaders;
  readonly isUpgrade: boolean;
  /** Whether the stream may serve another request afterwards. */
  readonly keepAlive: boolean;
  readonly responseTimeoutMs: number;
}

const maxInformationalResponses = 5;

/**
 * Sends one request to a device, with a rebuilt head and a streamed body, and reads the head of the response. Rejects with a ProxyFailure
 * after aborting the stream. The caller must not use the stream for another request until then.
 */
export async function sendRequest(
  stream: DeviceStream,
  deviceRequest: DeviceRequest,
): Promise<DeviceResponse> {
  try {
    if (stream.hasUnsolicitedData) throw new ProxyFailure('broken');
    const head = headOf(deviceRequest);
    stream.begin();
    stream.responseTimeout.begin(pendingResponse(stream, deviceRequest));
    void stream.write(head);
    if (!deviceRequest.isUpgrade) sendRequestBody(deviceRequest.request, stream);
    return await readResponse(stream, deviceRequest);
  } catch (error) {
    const failure = error instanceof ProxyFailure ? error : new ProxyFailure('broken');
    stream.abort(failure);
    throw failure;
  } finally {
    stream.responseTimeout.end();
  }
}

/** Tells a late response of the device from a client that stopped sending its body. */
function pendingResponse(
  stream: DeviceStream,
  { request, responseTimeoutMs }: DeviceRequest,
): PendingResponse {
  return {
    deadlineMs: () => stream.lastSentAtMs + responseTimeoutMs,
    timeoutFailure: () =>
      new ProxyFailure(!request.complete && !stream.hasPendingWrites ? 'stalledRequest' : 'silent'),
  };
}

async function readResponse(
  stream: DeviceStream,
  { request, isUpgrade }: DeviceRequest,
): Promise<DeviceResponse> {
  let parser = new ResponseHeadParser();
  let informationalCount = 0;
  let bytes: Buffer = await readBytes(stream);
  for (;;) {
    const end = parser.parse(bytes);
    const rest = end < 0 ? undefined : bytes.subarray(end);
    if (parser.head === undefined || rest === undefined) bytes = await readBytes(stream);
    else if (isFinal(parser.head, isUpgrade))
      return { stream, head: parser.head, body: responseBodyOf(parser.head, request.method ?? ''), rest };
    else {
      informationalCount += 1;
      if (informationalCount > maxInformationalResponses) throw new ProxyFailure('garbled');
      parser = new ResponseHeadParser();
      bytes = rest.length > 0 ? rest : await readBytes(stream);
    }
  }
}

/** First-generation agents accept a channel to a closed port and then end it without a byte. */
async function readBytes(stream: DeviceStream): Promise<Buffer> {
  const { receivedBytes } = stream;
  const bytes = await stream.read();
  if (bytes === null) throw new ProxyFailure(receivedBytes === 0 ? 'refused' : 'broken');
  return bytes;
}

function isFinal({ status }: ResponseHead, isUpgrade: boolean): boolean {
  if (status === 101 && !isUpgrade) throw new ProxyFailure('garbled');
  return status === 101 || status >= 200;
}

const invalidInValue = /[^\t\x20-\x7e\x80-\xff]/;
const invalidInTarget = /[^\x21-\x7e\x80-\xff]/;

/** The bytes of the request's head. Throws a ProxyFailure for characters that Node's parser should have refused. */
function headOf(deviceRequest: DeviceRequest): Buffer {
  const { request, path, headers, isUpgrade, keepAlive } = deviceRequest;
  if (invalidInTarget.test(path)) throw new ProxyFailure('malformed');
  let text = `${request.method} ${path} HTTP/1.1\r\n`;
  for (let index = 0; index < headers.length; index += 2) {
    const value = headers[index + 1] ?? '';
    if (invalidInValue.test(value)) throw new ProxyFailure('malformed');
    text += `${headers[index]}: ${value}\r\n`;
  }
  if (isUpgrade) text += 'Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
  else text += `Connection: ${keepAlive ? 'keep-alive' : 'close'}\r\n${requestBodyOf(request).header}\r\n`;
  return Buffer.from(text, 'latin1');
}

/** Whether the device lets another request follow on the same stream. */
export function allowsReuse({ head, body }: DeviceResponse): boolean {
  if (head.isHttp10 || body.endsWithStream) return false;
  const connection = valuesOf(head, 'connection');
  return connection.length === 0 || !/\bclose\b/i.test(connection.join());
}
