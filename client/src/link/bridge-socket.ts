import { trackBuffer, release, coalesceWrites, type Channel, type CorkableSocket } from '@corral/multiplex';

/** What is used of a TCP socket of `node:net`, made with `allowHalfOpen`. */
export interface BridgedSocket extends CorkableSocket {
  readonly destroyed: boolean;
  write(bytes: Uint8Array, callback: (error?: Error | null) => void): boolean;
  end(): unknown;
  pause(): unknown;
  resume(): unknown;
  destroySoon(): unknown;
  destroy(): unknown;
  resetAndDestroy(): unknown;
  setTimeout(timeoutMs: number, callback: () => void): unknown;
  on(event: 'data', listener: (bytes: Uint8Array) => void): unknown;
  on(event: 'end', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/** How many bytes have gone each way, told as they go. */
export interface TransferObserver {
  /** From the socket into the channel. */
  readonly onSent?: (sizeBytes: number) => void;
  /** From the channel into the socket. */
  readonly onReceived?: (sizeBytes: number) => void;
}

/** How long a program may take for what was written to it when all else is over. */
const flushTimeoutMs = 60_000;
/** How much may wait in a socket before no more is taken from the channel. */
const maxWaitingBytes = 131_072;

/**
 * Joins a TCP socket and a channel both ways, each with its own end and with back-pressure. A stream that breaks off on one side is broken
 * off on the other, so that what is not whole never looks so. Fulfilled when both are over; never rejected.
 */
export async function bridgeSocket(
  channel: Channel,
  socket: BridgedSocket,
  watch: TransferObserver = {},
): Promise<void> {
  socket.on('error', (error) => channel.abort(error.message));
  // What is written goes out first, unless the program at the other end never takes it.
  void channel.closed.then(() => socket.setTimeout(flushTimeoutMs, () => socket.destroy()));
  toChannel(socket, channel, watch);
  await toSocket(channel, socket, watch);
  await channel.closed;
  if (channel.resetReason === undefined) socket.destroySoon();
  else socket.resetAndDestroy();
}

function toChannel(socket: BridgedSocket, channel: Channel, { onSent }: TransferObserver): void {
  socket.on('data', (bytes) => {
    // A socket gets new memory for each read.
    trackBuffer(bytes);
    onSent?.(bytes.length);
    const waiting = channel.writeOwned(bytes);
    if (waiting === undefined) return;
    socket.pause();
    // Where the far end takes no more, what still comes stays in the socket, which ends with the other direction.
    waiting.then(
      () => socket.resume(),
      () => undefined,
    );
  });
  socket.on('end', () => channel.end());
}

async function toSocket(
  channel: Channel,
  socket: BridgedSocket,
  { onReceived }: TransferObserver,
): Promise<void> {
  try {
    await channel.drain((bytes) => {
      onReceived?.(bytes.length);
      return written(socket, bytes);
    });
    if (channel.resetReason === undefined) socket.end();
  } catch (error) {
    channel.stopReading(error instanceof Error ? error.message : '');
  }
}

/** Writes bytes; undefined while little waits to go out, else fulfilled when all has. Bytes that were lent are let go once they are out. */
function written(socket: BridgedSocket, bytes: Uint8Array): Promise<void> | undefined {
  if (socket.writableLength + bytes.length <= maxWaitingBytes) {
    // An error of this write is told by a later one, or by the socket.
    coalesceWrites(socket, () => socket.write(bytes, () => release(bytes)));
    return undefined;
  }
  return new Promise((resolve, reject) => {
    const onOut = (error?: Error | null): void => {
      release(bytes);
      if (error) reject(error);
      else resolve();
    };
    coalesceWrites(socket, () => socket.write(bytes, onOut));
  });
}
