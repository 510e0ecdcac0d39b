import type { RequestListener } from 'node:http';
import type { Socket } from 'node:net';
import { limits } from '../limits/table.ts';
import { stopParsing } from './stop-parsing.ts';

/**
 * Disconnects clients that send too many requests before they have the answers to earlier ones; browsers and programs of today send one, apt ten. Node reads 64 KiB at a time, and all requests in them would begin in one turn of the event loop:
 * more than a thousand, where these are small.
 */
export function limitPipelining(listener: RequestListener): RequestListener {
  const running = new WeakMap<Socket, number>();
  return (request, response) => {
    const { socket } = request;
    const count = (running.get(socket) ?? 0) + 1;
    if (socket.destroyed || count > limits.requestsAhead.ofCaller) {
      socket.destroy();
      return stopParsing(socket);
    }
    running.set(socket, count);
    // Not before this turn ends: Node answers between two requests of one read where it calls back for a body or for many headers.
    response.once('close', () => setImmediate(() => running.set(socket, (running.get(socket) ?? 1) - 1)));
    listener(request, response);
    // The answer was the last one of the connection.
    if (response.writableEnded && !response.shouldKeepAlive) stopParsing(socket);
  };
}
