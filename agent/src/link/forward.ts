import { connect as connectSocket } from 'node:net';
import { bridgeSocket } from '@corral/client';
import type { ChannelRequest } from '@corral/multiplex';

const endpointForm = /^forward\/tcp\/(\d{1,5})$/;
const connectTimeoutMs = 10_000;

/** Serves the channels that the hub requests: `forward/tcp/<port>` connects to that port of this machine, any other endpoint is rejected. */
export function serveForward(request: ChannelRequest): void {
  const port = Number(endpointForm.exec(request.endpoint)?.[1] ?? 0);
  if (port < 1 || port > 65_535) return request.reject('unknown endpoint');
  const socket = connectSocket({ host: '127.0.0.1', port, allowHalfOpen: true, noDelay: true });
  socket.setTimeout(connectTimeoutMs, () => socket.destroy(new Error('timed out')));
  const refuse = (error: NodeJS.ErrnoException): void => request.reject(refusalOf(error, port));
  socket.once('error', refuse);
  socket.once('connect', () => {
    socket.off('error', refuse);
    socket.setTimeout(0).removeAllListeners('timeout');
    void bridgeSocket(request.accept(), socket);
  });
}

function refusalOf(error: NodeJS.ErrnoException, port: number): string {
  if (error.code === 'ECONNREFUSED')
    return `connection refused: nothing listens on port ${port} of the device`;
  if (error.message === 'timed out') return `port ${port} of the device does not answer`;
  return `port ${port} of the device cannot be reached: ${error.message}`;
}
