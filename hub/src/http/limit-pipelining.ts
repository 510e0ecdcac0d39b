import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';

/** How many requests a client may send before it has the answers to earlier ones; browsers and programs of today send one, apt ten. */
const maxPipelined = 16;

/**
 * Disconnects clients that send too many requests ahead. Node reads 64 KiB at a time, and all requests in them begin in one turn of the event loop:
 * more than a thousand, where these are small.
 */
export function limitPipelining(listener: RequestListener): RequestListener {
  const running = new WeakMap<Socket, number>();
  return (request, response) => {
    const { socket } = request;
    if (socket.destroyed) return;
    const count = (running.get(socket) ?? 0) + 1;
    if (count > maxPipelined) return void socket.destroy();
    running.set(socket, count);
    response.once('close', () => running.set(socket, (running.get(socket) ?? 1) - 1));
    listener(request, response);
  };
}
