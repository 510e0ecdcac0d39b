/** The parts of a Node socket that are used. */
export interface CorkableSocket {
  readonly writableCorked: number;
  readonly writableLength: number;
  cork(): void;
  uncork(): void;
}

/** With this much corked, more is likely to follow in this turn of the event loop; with less, a caller may wait for it. */
const bulkBytes = 8_192;
/** No more than this is corked. */
const maxCorkedBytes = 65_536;

const { setImmediate } = globalThis as { setImmediate?: (run: () => void) => unknown };

/** Runs a function in the next turn of the event loop, after all input that has arrived until then. */
export function nextTurn(run: () => void): void {
  if (setImmediate === undefined) setTimeout(run, 0);
  else setImmediate(run);
}

/**
 * Corks a socket while `write` writes to it, so that several writes share one system call: until the running code ends, with more bytes until all input
 * that has arrived was read, and never beyond 64 KiB.
 */
export function coalesceWrites(socket: CorkableSocket, write: () => void): void {
  const isFirst = socket.writableCorked === 0;
  if (isFirst) socket.cork();
  write();
  if (socket.writableLength >= maxCorkedBytes) return uncork(socket);
  if (isFirst)
    queueMicrotask(() => {
      if (socket.writableLength < bulkBytes) uncork(socket);
      else nextTurn(() => uncork(socket));
    });
}

function uncork(socket: CorkableSocket): void {
  if (socket.writableCorked > 0) socket.uncork();
}
