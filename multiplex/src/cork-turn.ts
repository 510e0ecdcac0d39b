/** What is used of a socket of Node. */
export interface CorkableSocket {
  readonly writableCorked: number;
  cork(): void;
  uncork(): void;
}

/** Holds back what is written to a socket until what runs now is done, so that all of it goes out at once. */
export function corkTurn(socket: CorkableSocket): void {
  if (socket.writableCorked > 0) return;
  socket.cork();
  queueMicrotask(() => socket.uncork());
}
