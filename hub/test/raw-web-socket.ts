import { connect as connectPlain, type Socket } from 'node:net';
import { connect as connectTls, type ConnectionOptions } from 'node:tls';

/** An HTTP answer, read byte by byte. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Options of a raw connection. */
export interface RawOptions {
  /** The first line of the request. */
  readonly requestLine?: string;
  /** Headers that replace those of a valid upgrade request; undefined omits one. */
  readonly upgrade?: Readonly<Record<string, string | undefined>>;
  readonly tls?: ConnectionOptions;
  /** The address of loopback (127.0.0.0/8) that the connection comes from. */
  readonly localAddress?: string;
}

type HeaderFields = Readonly<Record<string, string | readonly string[]>>;

const properUpgrade = {
  Host: 'hub',
  Connection: 'Upgrade',
  Upgrade: 'websocket',
  'Sec-WebSocket-Version': '13',
  'Sec-WebSocket-Key': 'dGhlIHNhbXBsZSBub25jZQ==',
};
const maskKey = Buffer.from([0x37, 0xfa, 0x21, 0x3d]);

/** WebSocket opcodes. */
export const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** One WebSocket message of the hub. */
export interface RawMessage {
  readonly opcode: number;
  readonly payload: Buffer;
}

/** The bytes of one masked WebSocket frame, as clients send them. */
export function webSocketFrame(opcode: number, payload: Uint8Array, isFinal = true): Buffer {
  const { length } = payload;
  const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
  head[0] = (isFinal ? 0x80 : 0) | opcode;
  head[1] = 0x80 | (length < 126 ? length : length < 65_536 ? 126 : 127);
  if (head.length === 4) head.writeUInt16BE(length, 2);
  if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2);
  const masked = Buffer.from(payload);
  for (let index = 0; index < length; index += 1) masked[index]! ^= maskKey[index & 3]!;
  return Buffer.concat([head, maskKey, masked]);
}

/** A minimal WebSocket client over a TCP or TLS socket. It never closes the socket by itself. */
export class RawWebSocket {
  readonly socket: Socket;
  /** The raw bytes received after the upgrade response. */
  readonly wire: Buffer[] = [];
  /** Resolves when the hub has ended its side. */
  readonly ended: Promise<void>;
  /** Whether the hub has ended its side. */
  isEnded = false;
  #listener: ((message: RawMessage) => void) | undefined;
  readonly #early: RawMessage[] = [];
  #rest: Buffer = Buffer.alloc(0);

  constructor(socket: Socket, head: Buffer) {
    this.socket = socket;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.ended = promise;
    const end = (): void => {
      this.isEnded = true;
      resolve();
    };
    socket.on('end', end).on('close', end).on('error', end);
    socket.on('data', (bytes: Buffer) => this.#take(bytes));
    if (head.length > 0) this.#take(head);
  }

  /** Sets the receiver of the hub's messages, including those already received. */
  listen(listener: (message: RawMessage) => void): void {
    for (const message of this.#early.splice(0)) listener(message);
    this.#listener = listener;
  }

  /** Sends one message. */
  send(payload: Uint8Array, opcode: number = opcodes.binary): void {
    this.socket.write(webSocketFrame(opcode, payload));
  }

  #take(bytes: Buffer): void {
    this.wire.push(bytes);
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    for (let message = this.#next(); message !== undefined; message = this.#next()) {
      if (this.#listener === undefined) this.#early.push(message);
      else this.#listener(message);
    }
  }

  /** The hub sends unfragmented, unmasked frames. */
  #next(): RawMessage | undefined {
    const rest = this.#rest;
    if (rest.length < 2) return undefined;
    const short = rest[1]!;
    const headBytes = short < 126 ? 2 : short === 126 ? 4 : 10;
    if (rest.length < headBytes) return undefined;
    const length =
      short < 126 ? short : short === 126 ? rest.readUInt16BE(2) : Number(rest.readBigUInt64BE(2));
    if (rest.length < headBytes + length) return undefined;
    this.#rest = rest.subarray(headBytes + length);
    return { opcode: rest[0]! & 0x0f, payload: rest.subarray(headBytes, headBytes + length) };
  }
}

/** Connects to the hub's gateway with exactly these headers. Returns the refusal where the hub refuses the upgrade. */
export function rawUpgrade(
  url: string,
  fields: HeaderFields,
  options: RawOptions = {},
): Promise<RawWebSocket | RawAnswer> {
  const { hostname, port, protocol } = new URL(url);
  const { localAddress } = options;
  const from = localAddress === undefined ? {} : { localAddress };
  const at = { host: hostname, port: Number(port), allowHalfOpen: true, ...from };
  const socket: Socket =
    protocol === 'https:'
      ? connectTls({ ...at, rejectUnauthorized: false, ...options.tls })
      : connectPlain(at);
  socket.setNoDelay(true);
  socket.write(requestOf(fields, options));
  return readAnswer(socket);
}

function requestOf(fields: HeaderFields, options: RawOptions): string {
  const all = { ...properUpgrade, ...options.upgrade, ...fields };
  const lines = Object.entries(all).flatMap(([name, value]) =>
    [value ?? []].flat().map((each) => `${name}: ${each}`),
  );
  return [options.requestLine ?? 'GET /api/v1/connect/ws HTTP/1.1', ...lines, '', ''].join('\r\n');
}

function readAnswer(socket: Socket): Promise<RawWebSocket | RawAnswer> {
  return new Promise((resolve, reject) => {
    let bytes: Buffer = Buffer.alloc(0);
    const onData = (chunk: Buffer): void => {
      bytes = Buffer.concat([bytes, chunk]);
      const headBytes = bytes.indexOf('\r\n\r\n');
      if (headBytes < 0 || !bytes.subarray(0, 13).includes(' 101 ')) return;
      socket.off('data', onData);
      resolve(new RawWebSocket(socket, bytes.subarray(headBytes + 4)));
    };
    socket.on('data', onData);
    socket.once('error', reject);
    socket.once('end', () => {
      socket.end();
      resolve(answerOf(bytes.toString()));
    });
  });
}

function answerOf(text: string): RawAnswer {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const [first = '', ...lines] = head.split('\r\n');
  const headers = lines.map((line): [string, string] => {
    const [name = '', ...value] = line.split(': ');
    return [name.toLowerCase(), value.join(': ')];
  });
  return {
    status: Number(first.split(' ')[1]),
    headers: Object.fromEntries(headers),
    body: rest.join('\r\n\r\n'),
  };
}
