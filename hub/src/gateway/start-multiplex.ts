import type { Socket } from 'node:net';
import { WebSocketTransport, type ConnectionEnd } from '@corral/multiplex';
import { limits } from '../limits/table.ts';
import { handleChannelRequest } from './handle-channel-request.ts';
import type { Link } from './link.ts';
import { RateLimitedConnection } from './RateLimitedConnection.ts';
import { removeLink, logFieldsOf, type GatewayContext } from './gateway-context.ts';

/** Proxies give up a hub that sends nothing for 8 s (docs/operations/haproxy.md). Clients ping more often, as long as their network lets them. */
const pingWhenQuietMs = 5_000;
/** Each rejected channel request counts as 9 further control frames, which limits rejected requests to 200 a second. */
const framesPerRejection = 9;

/** Starts the multiplex protocol on the socket of an admitted connection whose WebSocket is open. */
export function startMultiplex(context: GatewayContext, link: Link, socket: Socket): void {
  const { parts } = context;
  socket.setNoDelay(true);
  socket.setTimeout(0);
  const connection = new RateLimitedConnection({
    transport: new WebSocketTransport(socket, { side: 'server' }),
    now: parts.nowMs,
    schedule: setTimeout,
    delayChannelClosed: true,
    pingWhenQuietMs,
    limits: { framesPerRejection },
    onChannelRequest: (request) => handleChannelRequest(context, link, request),
    onHello: (info) => connection.identified(info),
    onClosed: (end) => {
      if (isCharged(end, link)) link.penalize?.();
      logEnd(context, link, end);
      removeLink(context, link);
    },
  });
  link.attach(connection);
  parts.log.info(logFieldsOf(link), 'connected');
  closeOldest(context, link);
}

/** A peer that reconnects instead of waiting for its delayed calls is charged like one that violates the protocol; one that the hub disconnects is not. */
function isCharged({ cause }: ConnectionEnd, { pacedCallCount }: Link): boolean {
  return cause === 'violation' || ((cause === 'peer' || cause === 'lost') && pacedCallCount > 0);
}

/** A device whose old connections hang is admitted, and its oldest connection is closed. */
function closeOldest({ registry }: GatewayContext, { isRegistered, credentialRefs }: Link): void {
  const links = isRegistered ? registry.allOfDevice(credentialRefs.deviceId ?? '') : [];
  if (links.length > limits.linksOfDevice.ofCaller) links[0]?.close('the device has too many connections');
}

function logEnd({ parts }: GatewayContext, link: Link, { cause, reason, error }: ConnectionEnd): void {
  parts.log.info({ ...logFieldsOf(link), cause, reason }, 'disconnected');
  if (cause === 'failed') parts.log.error({ ...logFieldsOf(link), err: error }, 'a connection failed');
}
