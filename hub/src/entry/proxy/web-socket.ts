import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { valuesOf, type ResponseHead } from './response-head.ts';
import type { DeviceResponse } from './send-request.ts';
import type { ProxyCookie } from './cookie.ts';
import type { StreamLease } from './stream-lease.ts';
import { headersForBrowser } from './headers.ts';
import { ProxyFailure } from './ProxyFailure.ts';

const keyForm = /^[+/0-9A-Za-z]{22}==$/;
/** How long one direction may stay open after the other has ended. */
const closeTimeoutMs = 10_000;
/** Fixed by RFC 6455. */
const acceptSuffix = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** Requires a valid WebSocket opening handshake. Throws a ProxyFailure. */
export function mustBeWebSocketUpgrade({ method, headers }: IncomingMessage): void {
  const isHandshake =
    method === 'GET' &&
    headers.upgrade?.toLowerCase() === 'websocket' &&
    headers['sec-websocket-version'] === '13' &&
    keyForm.test(headers['sec-websocket-key'] ?? '') &&
    headers['transfer-encoding'] === undefined &&
    Number(headers['content-length'] ?? 0) === 0;
  if (!isHandshake) throw new ProxyFailure('malformed');
}

/** Requires that the device's response completes the handshake. Throws a ProxyFailure. */
function mustBeValidHandshake(request: IncomingMessage, head: ResponseHead): void {
  const key = request.headers['sec-websocket-key'] ?? '';
  const [protocol, ...moreProtocols] = valuesOf(head, 'sec-websocket-protocol');
  const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
  const isAccepted =
    head.status === 101 &&
    valuesOf(head, 'upgrade').join().toLowerCase() === 'websocket' &&
    valuesOf(head, 'connection').join().toLowerCase().includes('upgrade') &&
    valuesOf(head, 'sec-websocket-accept').join() === hash('sha1', key + acceptSuffix, 'base64') &&
    moreProtocols.length === 0 &&
    (protocol === undefined || offered.includes(protocol));
  if (!isAccepted) throw new ProxyFailure('garbled');
}

interface UpgradeRequest {
  readonly request: IncomingMessage;
  readonly socket: Socket;
  /** The bytes that the browser sent after its request. */
  readonly head: Buffer;
  readonly lease: StreamLease;
  readonly cookie: ProxyCookie;
}

/** Pipes browser and device into each other once the device's handshake is valid; no byte is forwarded before. Throws a ProxyFailure. */
export function bridgeWebSocket(
  { request, socket, head, lease, cookie }: UpgradeRequest,
  upstream: DeviceResponse,
): void {
  try {
    mustBeValidHandshake(request, upstream.head);
  } catch (error) {
    lease.release(false);
    throw error;
  }
  const headers = headersForBrowser(upstream.head, cookie);
  const lines = ['HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', 'Upgrade: websocket'];
  for (let index = 0; index + 1 < headers.length; index += 2)
    lines.push(`${headers[index]}: ${headers[index + 1]}`);
  socket.setNoDelay(true);
  socket.setTimeout(0);
  socket.write(`${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  const stream = lease.stream.once('close', () => lease.release(false));
  if (head.length > 0) stream.write(head);
  const destroyBoth = (): void => {
    socket.destroy();
    stream.destroy();
  };
  const onEnd = (error: Error | null | undefined): void => {
    if (error) destroyBoth();
    else setTimeout(destroyBoth, closeTimeoutMs).unref();
  };
  // Two pipelines listen eight times, the server's own listeners aside; Node warns of more than ten as of a leak.
  socket.setMaxListeners(20);
  pipeline(stream, socket, onEnd);
  pipeline(socket, stream, onEnd);
}
