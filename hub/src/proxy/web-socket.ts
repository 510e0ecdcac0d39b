import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream';
import type { ChannelDuplex } from './channel-duplex.ts';
import type { ProxyCookie } from './cookie.ts';
import { headersForBrowser } from './headers.ts';
import { ProxyFailure } from './ProxyFailure.ts';

const keyForm = /^[+/0-9A-Za-z]{22}==$/;
/** How long the other way may still go on when one way has ended. */
const closeWithinMs = 10_000;
/** Fixed by RFC 6455. */
const acceptSuffix = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** Refuses every upgrade but that to a WebSocket. Throws a ProxyFailure. */
export function mustOpenWebSocket({ method, headers }: IncomingMessage): void {
  const isOpening =
    method === 'GET' &&
    headers.upgrade?.toLowerCase() === 'websocket' &&
    headers['sec-websocket-version'] === '13' &&
    keyForm.test(headers['sec-websocket-key'] ?? '') &&
    headers['transfer-encoding'] === undefined &&
    Number(headers['content-length'] ?? 0) === 0;
  if (!isOpening) throw new ProxyFailure('malformed');
}

/** Refuses an answer of the device that does not really open the WebSocket that was asked for. Throws a ProxyFailure. */
function mustAccept(request: IncomingMessage, { statusCode, headers }: IncomingMessage): void {
  const key = request.headers['sec-websocket-key'] ?? '';
  const protocol = headers['sec-websocket-protocol'];
  const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((name) => name.trim());
  const isAccepted =
    statusCode === 101 &&
    headers.upgrade?.toLowerCase() === 'websocket' &&
    headers['sec-websocket-accept'] === hash('sha1', key + acceptSuffix, 'base64') &&
    (protocol === undefined || offered.includes(protocol));
  if (!isAccepted) throw new ProxyFailure('garbled');
}

interface Opening {
  readonly request: IncomingMessage;
  readonly socket: Socket;
  /** What the browser has sent behind its request. */
  readonly head: Buffer;
  readonly stream: ChannelDuplex;
  readonly cookie: ProxyCookie;
}

/** Joins browser and device once the device has accepted; not a byte crosses before. Throws a ProxyFailure. */
export function joinWebSocket(
  { request, socket, head, stream, cookie }: Opening,
  answer: IncomingMessage,
  first: Buffer,
): void {
  mustAccept(request, answer);
  const headers = headersForBrowser(answer, cookie);
  const lines = ['HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', 'Upgrade: websocket'];
  for (let index = 0; index + 1 < headers.length; index += 2)
    lines.push(`${headers[index]}: ${headers[index + 1]}`);
  socket.setNoDelay(true);
  socket.setTimeout(0);
  socket.write(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), first]));
  if (head.length > 0) stream.write(head);
  const both = (): void => {
    socket.destroy();
    stream.destroy();
  };
  // What one side has ended the other has to end as well, soon.
  const onEnd = (error: Error | null | undefined): void => {
    if (error) both();
    else setTimeout(both, closeWithinMs).unref();
  };
  pipeline(stream, socket, onEnd);
  pipeline(socket, stream, onEnd);
}
