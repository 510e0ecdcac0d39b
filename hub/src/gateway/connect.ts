import type { Socket } from 'node:net';
import { WebSocketTransport, decodeFrame, type ConnectionEnd } from '@corral/multiplex';
import type { WebSocket } from 'ws';
import { answerRequest } from './answer-request.ts';
import type { Link } from './link.ts';
import { PacedConnection } from './PacedConnection.ts';
import { forget, whoIs, type State } from './state.ts';

const maxConnectionsPerDevice = 4;
/** A peer that asks for what it does not get, again and again, is slowed down to 200 times a second. */
const limits = { framesPerRejection: 9 };
/** Answers to WebSocket pings that a peer does not read pile up this far. */
const maxPongsBytes = 65_536;

/** Begins to speak the protocol over the WebSocket of a connection that was let in. */
export function takeOver(state: State, link: Link, webSocket: WebSocket, socket: Socket): void {
  const { parts } = state;
  socket.setNoDelay(true);
  socket.setTimeout(0);
  webSocket.on('ping', (data) => {
    if (webSocket.bufferedAmount < maxPongsBytes) webSocket.pong(data);
  });
  const connection = new PacedConnection({
    transport: new WebSocketTransport(webSocket, socket),
    now: parts.nowMs,
    schedule: setTimeout,
    delayChannelClosed: true,
    limits,
    onChannelRequest: (request) => answerRequest(state, link, request),
    onClosed: (end) => {
      if (end.cause === 'violation') link.penalize?.();
      logEnd(state, link, end);
      forget(state, link);
    },
  });
  link.attach(connection);
  webSocket.once('message', (bytes: Buffer) => {
    if (isHelloOfOurs(bytes)) connection.peerKind = 'ours';
  });
  parts.log.info(whoIs(link), 'connected');
  closeOldest(state, link);
}

/** Programs of this house say so; anything else that comes first is judged elsewhere. */
function isHelloOfOurs(bytes: Buffer): boolean {
  try {
    const frame = decodeFrame(bytes);
    return frame.kind === 'Hello' && Buffer.from(frame.info).toString().startsWith('corral-');
  } catch {
    return false;
  }
}

/** A device whose old connections hang gets in, and they make way. */
function closeOldest({ directory }: State, { isRegistered, foundations }: Link): void {
  const links = isRegistered ? directory.allOfDevice(foundations.deviceId ?? '') : [];
  if (links.length > maxConnectionsPerDevice) links[0]?.close('the device has too many connections');
}

function logEnd({ parts }: State, link: Link, { cause, reason, error }: ConnectionEnd): void {
  parts.log.info({ ...whoIs(link), cause, reason }, 'disconnected');
  if (cause === 'failed') parts.log.error({ ...whoIs(link), err: error }, 'a connection failed');
}
