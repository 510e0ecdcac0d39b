import { connect as connectSocket, type Socket } from 'node:net';
import { bridgeSocket } from '@corral/client';
import { channelReasons } from '@corral/contract';
import type { ChannelRequest, StreamAcceptor } from '@corral/multiplex';

const endpointForm = /^(forward|resumable)\/tcp\/(\d{1,5})$/;
const connectTimeoutMs = 10_000;

/**
 * Serves the channels that the hub requests: `forward/tcp/<port>` connects to that port of this machine, and so does `resumable/tcp/<port>`, by streams that outlive their
 * channels, where there is an acceptor of those. Any other endpoint is rejected.
 */
export function serveForward(request: ChannelRequest, acceptor?: StreamAcceptor): void {
  const [, kind, digits] = endpointForm.exec(request.endpoint) ?? [];
  const port = Number(digits ?? 0);
  if (port < 1 || port > 65_535) return request.reject(channelReasons.unknownEndpoint);
  if (kind === 'forward') return serveOnce(request, port);
  if (acceptor === undefined) return request.reject(channelReasons.unknownEndpoint);
  if (acceptor.isFull) return request.reject(channelReasons.notResumable);
  acceptor.serve(request.accept(), (stream) =>
    connectPort(port, {
      onConnected(socket) {
        stream.confirm();
        void bridgeSocket(stream, socket);
      },
      onRefused: (reason) => stream.abort(reason),
    }),
  );
}

function serveOnce(request: ChannelRequest, port: number): void {
  connectPort(port, {
    onConnected: (socket) => void bridgeSocket(request.accept(), socket),
    onRefused: (reason) => request.reject(reason),
  });
}

interface ConnectEvents {
  readonly onConnected: (socket: Socket) => void;
  /** The reason is for people. */
  readonly onRefused: (reason: string) => void;
}

function connectPort(port: number, { onConnected, onRefused }: ConnectEvents): void {
  const socket = connectSocket({ host: '127.0.0.1', port, allowHalfOpen: true, noDelay: true });
  socket.setTimeout(connectTimeoutMs, () =>
    socket.destroy(Object.assign(new Error('timed out'), { code: 'ETIMEDOUT' })),
  );
  const refuse = (error: NodeJS.ErrnoException): void => onRefused(refusalOf(error, port));
  socket.once('error', refuse);
  socket.once('connect', () => {
    socket.off('error', refuse);
    socket.setTimeout(0).removeAllListeners('timeout');
    onConnected(socket);
  });
}

function refusalOf(error: NodeJS.ErrnoException, port: number): string {
  if (error.code === 'ECONNREFUSED')
    return `connection refused: nothing listens on port ${port} of the device`;
  if (error.code === 'ETIMEDOUT') return channelReasons.portSilent;
  return `port ${port} of the device cannot be reached: ${error.message}`;
}
