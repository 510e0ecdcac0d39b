import {
  trackBuffer,
  release,
  coalesceWrites,
  type ByteStream,
  type CorkableSocket,
} from '@corral/multiplex';

/** The parts of a `node:net` socket that are used; it must be created with `allowHalfOpen`. */
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

/** Observes the bytes transferred in each direction. */
export interface TransferObserver {
  /** From the socket into the channel. */
  readonly onSent?: (sizeBytes: number) => void;
  /** From the channel into the socket. */
  readonly onReceived?: (sizeBytes: number) => void;
}

/** How long a program may take to read the rest once the channel has closed. */
const flushTimeoutMs = 60_000;
/** No more is read from the channel while more than this is buffered in the socket. */
const maxBufferedBytes = 131_072;

/** Connects a TCP socket and a channel in both directions, with back-pressure; an abort of one resets the other. Never rejected. */
export async function bridgeSocket(
  channel: ByteStream,
  socket: BridgedSocket,
  observer: TransferObserver = {},
): Promise<void> {
  socket.on('error', (error) => channel.abort(error.message));
  // Written data is sent first, unless the local program never reads it.
  void channel.closed.then(() => socket.setTimeout(flushTimeoutMs, () => socket.destroy()));
  toChannel(socket, channel, observer);
  await toSocket(channel, socket, observer);
  await channel.closed;
  if (channel.resetReason === undefined) socket.destroySoon();
  else socket.resetAndDestroy();
}

function toChannel(socket: BridgedSocket, channel: ByteStream, { onSent }: TransferObserver): void {
  socket.on('data', (bytes) => {
    trackBuffer(bytes);
    onSent?.(bytes.length);
    const waiting = channel.writeOwned(bytes);
    if (waiting === undefined) return;
    socket.pause();
    // When the channel accepts no more data, the rest stays unread in the socket, which closes with the other direction.
    waiting.then(
      () => socket.resume(),
      () => undefined,
    );
  });
  socket.on('end', () => channel.end());
}

async function toSocket(
  channel: ByteStream,
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

/** Writes bytes and releases them once they are sent. Undefined while little is buffered, else fulfilled when all is sent. */
function written(socket: BridgedSocket, bytes: Uint8Array): Promise<void> | undefined {
  if (socket.writableLength + bytes.length <= maxBufferedBytes) {
    // A later write or the socket itself reports an error of this write.
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
