import type { Socket } from 'node:net';
import { WebSocketTransport, type ConnectionEnd } from '@corral/multiplex';
import { answerRequest } from './answer-request.ts';
import type { Link } from './link.ts';
import { PacedConnection } from './PacedConnection.ts';
import { forget, whoIs, type State } from './state.ts';

const maxConnectionsPerDevice = 4;
/** A peer that asks for what it does not get, again and again, is slowed down to 200 times a second. */
const limits = { framesPerRejection: 9 };

/** Begins to speak the protocol over the socket of a connection that was let in, whose WebSocket is open. */
export function takeOver(state: State, link: Link, socket: Socket): void {
  const { parts } = state;
  socket.setNoDelay(true);
  socket.setTimeout(0);
  const connection = new PacedConnection({
    transport: new WebSocketTransport(socket, { side: 'server' }),
    now: parts.nowMs,
    schedule: setTimeout,
    delayChannelClosed: true,
    limits,
    onChannelRequest: (request) => answerRequest(state, link, request),
    onGreeted: (info) => {
      // Programs of this house say so; what others are shows later, or never.
      if (info.startsWith('corral-')) connection.peerKind = 'ours';
    },
    onClosed: (end) => {
      if (end.cause === 'violation') link.penalize?.();
      logEnd(state, link, end);
      forget(state, link);
    },
  });
  link.attach(connection);
  parts.log.info(whoIs(link), 'connected');
  closeOldest(state, link);
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
