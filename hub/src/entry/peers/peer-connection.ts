import type { TLSSocket } from 'node:tls';
import {
  MultiplexConnection,
  WebSocketTransport,
  type ConnectionOptions,
  type Limits,
} from '@corral/multiplex';

/**
 * The versions of the protocol between nodes that this release and the one before speak, newest first; ALPN chooses. A new endpoint or
 * multiplex protocol is a new version, and is used only over a connection of that version.
 */
export const peerProtocols: readonly string[] = ['corral-peer/3', 'corral-peer/2', 'corral-peer/1'];

/** The versions without the endpoint of resumable forwards: their nodes would pass it on to any device. */
export const protocolsWithoutResumable: readonly string[] = ['corral-peer/1'];

/** The versions without the endpoint of terminals. */
export const protocolsWithoutTerminals: readonly string[] = ['corral-peer/2', 'corral-peer/1'];

/** One connection carries all channels of two nodes: 16 KiB are reserved for each that may still be opened, and windows grow in the rest. */
const limits: Partial<Limits> = {
  maxChannels: 4_096,
  controlFramesPerSecond: 200_000,
  receiveBudgetBytes: 201_326_592,
  maxBufferedBytes: 1_048_576,
  maxBacklogBytes: 16_777_216,
};
const tickEveryMs = 1_000;
const pingIntervalMs = 5_000;

/** Starts the multiplex protocol on a TLS socket between two nodes, in frames of WebSocket without its handshake. */
export function startPeerConnection(
  socket: TLSSocket,
  side: 'client' | 'server',
  options: Pick<ConnectionOptions, 'onChannelRequest' | 'onClosed'>,
): MultiplexConnection {
  socket.setNoDelay(true);
  const connection = new MultiplexConnection({
    ...options,
    transport: new WebSocketTransport(socket, { side }),
    now: () => performance.now(),
    schedule: setTimeout,
    pingIntervalMs,
    limits,
    info: 'corral-hub',
    onClosed(end) {
      clearInterval(ticking);
      options.onClosed?.(end);
    },
  });
  const ticking = setInterval(() => connection.tick(), tickEveryMs);
  return connection;
}
