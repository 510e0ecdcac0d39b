import { get, type IncomingMessage } from 'node:http';
import { expect } from 'vitest';
import type { HttpHub } from './http-hub.ts';

/** One message of a live view. */
export interface LiveMessage {
  readonly id: string;
  readonly event: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** An open live view. */
export interface LiveReader extends Disposable {
  readonly status: number;
  readonly response: IncomingMessage;
  readonly received: LiveMessage[];
  readonly text: () => string;
  readonly ended: Promise<void>;
  /** Waits for a message of which these fields are part. */
  next(fields: object, event?: string): Promise<LiveMessage>;
}

/** Reads the live view as a browser does; `cursor` is that of an earlier read. */
export function readLiveView(
  hub: Pick<HttpHub, 'url'>,
  headers: Record<string, string>,
  cursor?: string,
): Promise<LiveReader> {
  const query = cursor === undefined ? '' : `?after=${cursor}`;
  return new Promise((resolve, reject) => {
    const request = get(`${hub.url}/api/v1/stream${query}`, { headers }, (response) => {
      let text = '';
      const received: LiveMessage[] = [];
      response.setEncoding('utf8').on('data', (chunk: string) => {
        text += chunk;
        received.splice(0, received.length, ...parse(text));
      });
      const ended = new Promise<void>((done) => response.on('close', done));
      resolve({
        status: response.statusCode ?? 0,
        response,
        received,
        text: () => text,
        ended,
        async next(fields, event = 'change') {
          const isIt = (one: LiveMessage) => one.event === event && isPart(fields, one.data);
          await expect.poll(() => received.some(isIt), { interval: 10 }).toBe(true);
          return received.find(isIt) as LiveMessage;
        },
        [Symbol.dispose]: () => void request.destroy(),
      });
    });
    request.on('error', (error: Error & { code?: string }) => error.code === 'ECONNRESET' || reject(error));
  });
}

function isPart(fields: object, whole: Record<string, unknown>): boolean {
  return Object.entries(fields).every(([name, value]) => whole[name] === value);
}

function parse(text: string): LiveMessage[] {
  const blocks = text.split('\n\n').slice(0, -1);
  return blocks.flatMap((block) => {
    const fields = Object.fromEntries(block.split('\n').map((line) => line.split(/: (.*)/s).slice(0, 2)));
    return fields['event'] === undefined
      ? []
      : [{ id: fields['id'], event: fields['event'], data: JSON.parse(fields['data']) }];
  });
}
