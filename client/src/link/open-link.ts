import {
  MultiplexConnection,
  WebSocketTransport,
  type ChannelRequest,
  type ConnectingWebSocket,
  type ConnectionEnd,
  type SocketLike,
} from '@corral/multiplex';
import { ConnectError } from './ConnectError.ts';
import { refusalOf, unreachable, type PlainAnswer } from './refusal.ts';

/** A `ws` WebSocket of a client that is still connecting. */
export interface LinkSocket extends Omit<ConnectingWebSocket, 'once'> {
  on(event: 'error', listener: (error: Error) => void): unknown;
  once(event: 'upgrade', listener: (response: { readonly socket: SocketLike }) => void): unknown;
  once(event: 'open', listener: () => void): unknown;
  once(event: 'error', listener: (error: Error) => void): unknown;
  once(event: 'unexpected-response', listener: (request: unknown, answer: PlainAnswer) => void): unknown;
}

/** What a `ws` WebSocket must be made with, besides what is the caller's own, such as how to judge the hub's certificate. */
export interface LinkSocketOptions {
  readonly headers: Record<string, string>;
  readonly perMessageDeflate: false;
}

/** Where to connect, as whom, and by what. */
export interface LinkOptions {
  /** The hub's origin, `http…` or `https…`. */
  readonly hubUrl: string;
  /** What the upgrade says of who connects. */
  readonly headers: Record<string, string>;
  /** Which program connects, as `corral-agent/1.2.3`: towards programs of Corral the hub need not wait with the ends of streams. */
  readonly info?: string;
  /** Makes the WebSocket, which this room does not know: `(url, options) => new WebSocket(url, options)` of the package `ws`. */
  readonly createSocket: (url: string, options: LinkSocketOptions) => LinkSocket;
  /** Gets the channels that the hub asks for; without it all are rejected. */
  readonly onChannelRequest?: ((request: ChannelRequest) => void) | undefined;
  readonly onClosed?: ((end: ConnectionEnd) => void) | undefined;
  /** Gives up a connection that is not open yet. */
  readonly signal?: AbortSignal | undefined;
}

/** The path of the door for devices, command lines and peers. */
const linkPath = '/api/v1/connect/ws';
const handshakeTimeoutMs = 20_000;
const pingIntervalMs = 5_000;

/** Opens a link to a hub over a WebSocket, once; whoever calls it ticks the connection. Rejected with a ConnectError. */
export async function openLink(options: LinkOptions): Promise<MultiplexConnection> {
  if (options.signal?.aborted === true) throw givenUp();
  const { info = '', onChannelRequest, onClosed } = options;
  return new MultiplexConnection({
    transport: await openTransport(options),
    now: () => performance.now(),
    info,
    pingIntervalMs,
    schedule: setTimeout,
    ...(onChannelRequest === undefined ? {} : { onChannelRequest }),
    ...(onClosed === undefined ? {} : { onClosed }),
  });
}

function openTransport({ hubUrl, headers, createSocket, signal }: LinkOptions): Promise<WebSocketTransport> {
  const url = `${hubUrl.replace(/^http/, 'ws')}${linkPath}`;
  const webSocket = createSocket(url, {
    headers,
    perMessageDeflate: false,
  });
  // Giving up emits an error of its own, behind the one that was told.
  webSocket.on('error', () => undefined);
  return new Promise((resolve, reject) => {
    const end = (error: ConnectError): void => {
      reject(error);
      webSocket.terminate();
    };
    const giveUp = (): void => end(givenUp());
    const tooLate = setTimeout(
      () => end(new ConnectError(`The hub at ${hubUrl} does not answer.`)),
      handshakeTimeoutMs,
    );
    signal?.addEventListener('abort', giveUp, { once: true });
    webSocket.once('unexpected-response', (_request, answer) => void refusalOf(answer, hubUrl).then(end));
    WebSocketTransport.connect(webSocket as ConnectingWebSocket, isPrivate(url) ? {} : { drawMask })
      .then(resolve, (error: Error) => reject(unreachable(error, hubUrl)))
      .finally(() => {
        clearTimeout(tooLate);
        signal?.removeEventListener('abort', giveUp);
      });
  });
}

/**
 * Masks keep caches that read along from taking forwarded bytes for HTTP. Where nobody can read along, a mask of zeros, which changes
 * nothing, spares both sides a walk over every byte (docs/decisions/0017).
 */
const drawMask = (mask: Uint8Array<ArrayBuffer>): void => void globalThis.crypto.getRandomValues(mask);

/** Whether no other machine sees the frames: they are encrypted, or never leave this one. */
function isPrivate(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return (
    protocol === 'wss:' ||
    hostname === 'localhost' ||
    hostname === '[::1]' ||
    /^127(?:\.\d{1,3}){3}$/.test(hostname)
  );
}

const givenUp = (): ConnectError => new ConnectError('The connection was given up.');
