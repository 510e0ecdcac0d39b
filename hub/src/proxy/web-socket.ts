import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { pipeline } from 'node:stream';
import { valuesOf, type AnswerHead } from './answer-head.ts';
import type { DeviceAnswer } from './ask-device.ts';
import type { ProxyCookie } from './cookie.ts';
import { DeviceDuplex } from './device-duplex.ts';
import type { Errand } from './errand.ts';
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
function mustAccept(request: IncomingMessage, head: AnswerHead): void {
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

interface Opening {
  readonly request: IncomingMessage;
  readonly socket: Socket;
  /** What the browser has sent behind its request. */
  readonly head: Buffer;
  readonly errand: Errand;
  readonly cookie: ProxyCookie;
}

/** Joins browser and device once the device has accepted; not a byte crosses before. Throws a ProxyFailure. */
export function joinWebSocket(
  { request, socket, head, errand, cookie }: Opening,
  answer: DeviceAnswer,
): void {
  try {
    mustAccept(request, answer.head);
  } catch (error) {
    errand.release(false);
    throw error;
  }
  const headers = headersForBrowser(answer.head, cookie);
  const lines = ['HTTP/1.1 101 Switching Protocols', 'Connection: Upgrade', 'Upgrade: websocket'];
  for (let index = 0; index + 1 < headers.length; index += 2)
    lines.push(`${headers[index]}: ${headers[index + 1]}`);
  socket.setNoDelay(true);
  socket.setTimeout(0);
  socket.write(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1'), answer.behind]));
  const stream = new DeviceDuplex(errand.stream).once('close', () => errand.release(false));
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
