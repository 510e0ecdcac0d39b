import type { IncomingMessage } from 'node:http';
import type { DeviceStream } from './DeviceStream.ts';
import type { FlatHeaders } from './headers.ts';
import { ProxyFailure } from './ProxyFailure.ts';
import { requestBodyOf, requestBodyStream } from './request-body.ts';
import type { ResponseHead } from './response-head.ts';
import { ResponseReader } from './ResponseReader.ts';
import type { PendingResponse } from './ResponseTimeout.ts';

/** The head of a device's response, and the reader of its body. */
export interface DeviceResponse {
  readonly head: ResponseHead;
  readonly body: ResponseReader;
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

/**
 * Sends one request to a device, with a rebuilt head and a streamed body, and reads the head of the response. Rejects with a ProxyFailure
 * after aborting the stream. The caller must not use the stream for another request until then.
 */
export async function sendRequest(
  stream: DeviceStream,
  deviceRequest: DeviceRequest,
): Promise<DeviceResponse> {
  const { request, path, headers, isUpgrade, keepAlive } = deviceRequest;
  const body = new ResponseReader(stream);
  const requestBody = isUpgrade ? null : requestBodyStream(request);
  try {
    // undici would send DEL.
    if (path.includes('\x7f')) throw new ProxyFailure('malformed');
    const { lengthHeader } = requestBodyOf(request);
    const options = {
      method: request.method ?? '',
      path,
      headers: [...headers, ...lengthHeader],
      body: requestBody,
      upgrade: isUpgrade ? 'websocket' : null,
      reset: !keepAlive,
    };
    stream.responseTimeout.begin(pendingResponse(stream, deviceRequest));
    stream.dispatch(options, body);
    return { head: await body.head, body };
  } catch (error) {
    const failure = error instanceof ProxyFailure ? error : new ProxyFailure('broken');
    stream.abort(failure);
    // Drops the rest, also when undici has not begun to read it.
    requestBody?.destroy();
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
