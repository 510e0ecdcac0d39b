import type { ServerResponse } from 'node:http';

/** One event; a client that reconnects sends the last id it has seen. */
export interface ServerSentEvent {
  readonly id: string;
  readonly name: string;
  readonly data: string;
}

/** An open response of server-sent events. */
export interface EventStream {
  /** Sends events in one write. */
  send(events: readonly ServerSentEvent[]): void;
  /** Sends an event without data or id, which proves that the hub is alive. */
  beat(): void;
  end(): void;
}

/** A client with more unsent bytes than this is disconnected; it may reconnect. */
const maxWaitingBytes = 256 * 1024;
const reconnectAfterMs = 2_000;

/** Starts the response. */
export function openEventStream(
  response: ServerResponse,
  headers: Readonly<Record<string, string>>,
): EventStream {
  response.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream; charset=utf-8',
    // The connection carries no further request, so shutdown need not wait for it.
    connection: 'close',
    // Disables buffering in nginx.
    'x-accel-buffering': 'no',
  });
  const write = (text: string): void => {
    if (response.writableEnded || response.destroyed) return;
    if (response.writableLength > maxWaitingBytes) response.destroy();
    else response.write(text);
  };
  write(`retry: ${reconnectAfterMs}\n\n`);
  return {
    send(events) {
      if (events.length > 0) write(events.map(written).join(''));
    },
    beat: () => write('event: beat\ndata: {}\n\n'),
    end: () => void response.end(),
  };
}

function written({ id, name, data }: ServerSentEvent): string {
  return `id: ${id}\nevent: ${name}\ndata: ${data}\n\n`;
}
