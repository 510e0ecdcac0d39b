import { once } from 'node:events';
import type { TerminalHubMessage } from '@corral/contract';
import { type ClientOptions, WebSocket } from 'ws';
import { frameOf, frameTypes } from '../src/entry/terminal/terminal-frames.ts';

/** A client of a terminal, as a tab is one. */
export class TerminalClient {
  readonly socket: WebSocket;
  output = Buffer.alloc(0);
  outputBytes = 0;
  status: number | undefined;
  readonly messages: TerminalHubMessage[] = [];
  /** The code with which the hub closed it. */
  readonly closed: Promise<number>;
  readonly #keepsOutput: boolean;

  constructor(socket: WebSocket, keepsOutput = true) {
    this.socket = socket;
    this.#keepsOutput = keepsOutput;
    this.closed = once(socket, 'close').then(([code]) => code as number);
    socket.on('message', (data, isBinary) =>
      isBinary ? this.#frame(data as Buffer) : this.messages.push(JSON.parse(String(data)) as never),
    );
  }

  #frame(frame: Buffer): void {
    if (frame[4] === frameTypes.exit) return void (this.status = frame.readInt32BE(5));
    this.outputBytes += frame.length - 5;
    if (this.#keepsOutput) this.output = Buffer.concat([this.output, frame.subarray(5)]);
  }

  type(text: string | Uint8Array): void {
    this.socket.send(frameOf(frameTypes.data, Buffer.from(text as string)));
  }

  resize(cols: number, rows: number): void {
    const body = Buffer.alloc(4);
    body.writeUInt16BE(cols);
    body.writeUInt16BE(rows, 2);
    this.socket.send(frameOf(frameTypes.resize, body));
  }

  tell(message: object): void {
    this.socket.send(JSON.stringify(message));
  }

  last<Type extends TerminalHubMessage['type']>(type: Type) {
    return this.messages.findLast((message) => message.type === type) as
      | Extract<TerminalHubMessage, { type: Type }>
      | undefined;
  }
}

/** Opens the WebSocket of a terminal; the status and the sentence where the hub refuses it. */
export async function openTerminalSocket(
  url: string,
  options: ClientOptions,
  keepsOutput = true,
): Promise<TerminalClient | { readonly status: number; readonly message: string }> {
  const socket = new WebSocket(url, options);
  const client = new TerminalClient(socket, keepsOutput);
  return new Promise((resolve, reject) => {
    socket.once('open', () => resolve(client));
    socket.once('error', reject);
    socket.once('unexpected-response', (_request, response) => {
      let text = '';
      response.on('data', (part: Buffer) => (text += String(part)));
      response.on('end', () => {
        const { message } = JSON.parse(text) as { message: string };
        resolve({ status: response.statusCode ?? 0, message });
      });
    });
  });
}
