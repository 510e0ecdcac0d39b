import type { Channel } from '@corral/multiplex';

/** What is used of a TCP socket of `node:net`, made with `allowHalfOpen`. */
export interface JoinableSocket {
  readonly destroyed: boolean;
  write(bytes: Uint8Array, callback: (error?: Error | null) => void): boolean;
  end(): unknown;
  pause(): unknown;
  destroySoon(): unknown;
  destroy(): unknown;
  resetAndDestroy(): unknown;
  setTimeout(timeoutMs: number, callback: () => void): unknown;
  iterator(options: { destroyOnReturn: boolean }): AsyncIterable<unknown>;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/** How many bytes have gone each way, told as they go. */
export interface JoinWatch {
  /** From the socket into the channel. */
  readonly onSent?: (sizeBytes: number) => void;
  /** From the channel into the socket. */
  readonly onReceived?: (sizeBytes: number) => void;
}

/** How long a program may take for what was written to it when all else is over. */
const flushTimeoutMs = 60_000;

/**
 * Joins a TCP socket and a channel both ways, each with its own end and with back-pressure. A stream that breaks off on one side is broken
 * off on the other, so that what is not whole never looks so. Fulfilled when both are over; never rejected.
 */
export async function joinSocket(
  channel: Channel,
  socket: JoinableSocket,
  watch: JoinWatch = {},
): Promise<void> {
  socket.on('error', (error) => channel.abort(error.message));
  // What is written goes out first, unless the program at the other end never takes it.
  void channel.closed.then(() => socket.setTimeout(flushTimeoutMs, () => socket.destroy()));
  void toChannel(socket, channel, watch);
  await toSocket(channel, socket, watch);
  await channel.closed;
  if (channel.breakage === undefined) socket.destroySoon();
  else socket.resetAndDestroy();
}

async function toChannel(socket: JoinableSocket, channel: Channel, { onSent }: JoinWatch): Promise<void> {
  try {
    for await (const bytes of socket.iterator({ destroyOnReturn: false }) as AsyncIterable<Uint8Array>) {
      await channel.write(bytes);
      onSent?.(bytes.length);
    }
    channel.end();
  } catch {
    // The far end takes no more: what still comes stays in the socket, which ends with the other direction.
    socket.pause();
  }
}

async function toSocket(channel: Channel, socket: JoinableSocket, { onReceived }: JoinWatch): Promise<void> {
  try {
    for (let bytes = await channel.read(); bytes !== null; bytes = await channel.read()) {
      await written(socket, bytes);
      onReceived?.(bytes.length);
    }
    if (channel.breakage === undefined) socket.end();
  } catch (error) {
    channel.stopReading(error instanceof Error ? error.message : '');
  }
}

function written(socket: JoinableSocket, bytes: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}
