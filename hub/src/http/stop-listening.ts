import type { Server } from 'node:http';
import { Server as NetServer } from 'node:net';
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises';
import type { ConnectionCounts } from './limit-connections.ts';

/** A turn of the event loop that takes longer leaves time for connections that it does not see. */
const shortTurnMs = 2;
/** Under load there may be no such turn. */
const longestWaitMs = 1_000;
/** A client sends its first request right after it has connected. */
const firstRequestWithinMs = 500;
const checkEveryMs = 10;

/**
 * Closes the listener and the idle connections of a server at moments when no connection and no request waits in them. The system resets a connection that is closed before it was accepted
 * or read, and a proxy cannot repeat a request that may have been served. `http.Server.close` and Fastify close both at once.
 */
export async function stopListening(server: Server, connections: ConnectionCounts): Promise<void> {
  if (!server.listening) return;
  await quietTurn(server, 'connection');
  NetServer.prototype.close.call(server);
  const untilMs = performance.now() + firstRequestWithinMs;
  while (connections.unused > 0 && performance.now() < untilMs) await pause(checkEveryMs);
  await quietTurn(server, 'request');
  server.closeIdleConnections();
}

/** Resolves in a turn of the event loop that was short and brought no such event, right after sockets were polled. */
async function quietTurn(server: Server, event: 'connection' | 'request'): Promise<void> {
  let count = 0;
  const add = (): void => void (count += 1);
  server.on(event, add);
  const untilMs = performance.now() + longestWaitMs;
  // A turn is counted from the end of one poll to that of the next.
  await nextTurn();
  for (let isQuiet = false; !isQuiet && performance.now() < untilMs;) {
    const [before, beganAtMs] = [count, performance.now()];
    await nextTurn();
    isQuiet = count === before && performance.now() - beganAtMs < shortTurnMs;
  }
  server.off(event, add);
}
