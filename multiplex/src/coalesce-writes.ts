/** What is used of a socket of Node. */
export interface CorkableSocket {
  readonly writableCorked: number;
  readonly writableLength: number;
  cork(): void;
  uncork(): void;
}

/** With as much held back, more is likely to come in this turn; below, somebody may wait for it. */
const bulkBytes = 8_192;
/** More than this is not held back. */
const mostHeldBytes = 65_536;

const { setImmediate } = globalThis as { setImmediate?: (run: () => void) => unknown };

/** Runs something in the next turn of the event loop, behind all that has arrived until then. */
export function nextTurn(run: () => void): void {
  if (setImmediate === undefined) setTimeout(run, 0);
  else setImmediate(run);
}

/**
 * Holds back what `write` writes to a socket, so that it goes out together with what is written next: until what runs now is done, or where it is much,
 * until all that has arrived was read, or until it is enough.
 */
export function coalesceWrites(socket: CorkableSocket, write: () => void): void {
  const isFirst = socket.writableCorked === 0;
  if (isFirst) socket.cork();
  write();
  if (socket.writableLength >= mostHeldBytes) return release(socket);
  if (isFirst)
    queueMicrotask(() => {
      if (socket.writableLength < bulkBytes) release(socket);
      else nextTurn(() => release(socket));
    });
}

function release(socket: CorkableSocket): void {
  if (socket.writableCorked > 0) socket.uncork();
}
