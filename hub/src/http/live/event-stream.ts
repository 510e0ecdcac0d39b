import type { ServerResponse } from 'node:http';

/** One event; the id is where a reader that comes back goes on. */
export interface ServerSentEvent {
  readonly id: string;
  readonly name: string;
  readonly data: string;
}

/** One open answer of server-sent events. */
export interface EventStream {
  /** Sends events in one piece. */
  send(events: readonly ServerSentEvent[]): void;
  /** A comment that keeps proxies and the browser from giving up. */
  beat(): void;
  end(): void;
}

/** A reader that has still not taken so many bytes when there is more to send is cut, and may come back. */
const maxWaitingBytes = 256 * 1024;
const reconnectAfterMs = 2_000;

/** Begins the answer. */
export function openEventStream(
  response: ServerResponse,
  headers: Readonly<Record<string, string>>,
): EventStream {
  response.writeHead(200, {
    ...headers,
    'content-type': 'text/event-stream; charset=utf-8',
    // Nothing else follows on this connection, so that a closing hub need not wait for it.
    connection: 'close',
    // nginx would hold events back otherwise.
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
    beat: () => write(':\n\n'),
    end: () => void response.end(),
  };
}

function written({ id, name, data }: ServerSentEvent): string {
  return `id: ${id}\nevent: ${name}\ndata: ${data}\n\n`;
}
