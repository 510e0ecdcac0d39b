import type { Transport, TransportListener } from '../transport.ts';

/** What is used of a WebSocket of the `ws` package. */
export interface WebSocketLike {
  readonly bufferedAmount: number;
  readonly extensions: string;
  send(data: Uint8Array, options: { binary: boolean }): void;
  terminate(): void;
  on(event: 'message', listener: (data: unknown, isBinary: boolean) => void): unknown;
  on(event: 'ping' | 'pong', listener: () => void): unknown;
  on(event: 'close', listener: (code: number) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/** What is used of the TCP or TLS socket below it. */
export interface SocketLike {
  end(): unknown;
  destroy(): unknown;
  resume(): unknown;
  removeAllListeners(event: 'data'): unknown;
  on(event: 'end' | 'drain' | 'close', listener: () => void): unknown;
}

/** A `ws` WebSocket of a client that is still connecting. */
export interface ConnectingWebSocket extends WebSocketLike {
  once(event: 'upgrade', listener: (response: { readonly socket: SocketLike }) => void): unknown;
  once(event: 'open', listener: () => void): unknown;
  once(event: 'error', listener: (error: Error) => void): unknown;
}

/** How long a peer may take for the rest, and to end its side, once either side has ended. */
const defaultEndGraceMs = 5_000;

/**
 * Carries frames over an open `ws` WebSocket and the socket below it, which a server has from `upgrade`; clients use
 * `connect`. Make it in the turn in which the WebSocket opens, or messages are lost; what comes before `attach` is kept.
 * Throws Error when an extension such as compression was negotiated: its queue would outlive the end of the socket.
 */
export class WebSocketTransport implements Transport {
  readonly #webSocket: WebSocketLike;
  readonly #socket: SocketLike;
  readonly #endGraceMs: number;
  #listener: TransportListener | undefined;
  /** What to tell once somebody listens. */
  #early: ((listener: TransportListener) => void)[] | undefined;
  #endTimer: ReturnType<typeof setTimeout> | undefined;
  #isEnded = false;
  #isSocketClosed = false;
  #arrivedCount = 0;
  #isDraining = false;

  constructor(webSocket: WebSocketLike, socket: SocketLike, endGraceMs = defaultEndGraceMs) {
    if (webSocket.extensions !== '') throw new Error('the WebSocket must not negotiate extensions');
    this.#webSocket = webSocket;
    this.#socket = socket;
    this.#endGraceMs = endGraceMs;
    webSocket.on('message', (data, isBinary) => {
      if (isBinary && data instanceof Uint8Array) this.#message(data);
      else this.#ignored();
    });
    webSocket.on('ping', () => this.#ignored());
    webSocket.on('pong', () => this.#ignored());
    // Only what the WebSocket cannot read is told as an error; a socket that breaks just closes.
    webSocket.on('error', (error) => this.#violated(error.message));
    webSocket.on('close', () => this.#lost());
    socket.on('drain', () => this.#drained());
    // The WebSocket itself tells only when the socket is closed in both directions.
    socket.on('end', () => this.#loseOnceDrained());
    socket.on('close', () => this.#socketClosed());
  }

  /**
   * The transport of a client's WebSocket, to be called in the turn in which it was made: the hub's first message often
   * arrives together with its answer. Rejected with the WebSocket's error.
   */
  static connect(webSocket: ConnectingWebSocket): Promise<WebSocketTransport> {
    return new Promise((resolve, reject) => {
      let socket: SocketLike;
      webSocket.once('upgrade', (response) => {
        socket = response.socket;
      });
      webSocket.once('error', reject);
      webSocket.once('open', () => {
        try {
          resolve(new WebSocketTransport(webSocket, socket));
        } catch (error) {
          webSocket.terminate();
          reject(error);
        }
      });
    });
  }

  get bufferedBytes(): number {
    return this.#webSocket.bufferedAmount;
  }

  attach(listener: TransportListener): void {
    if (this.#early === undefined) this.#listener = listener;
    else queueMicrotask(() => this.#catchUp(listener));
  }

  send(bytes: Uint8Array): void {
    if (!this.#isEnded) this.#webSocket.send(bytes, { binary: true });
  }

  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    // From here on the input is noise: the WebSocket must not answer its pings or closes on an ended socket.
    this.#socket.removeAllListeners('data');
    this.#socket.resume();
    this.#socket.end();
    this.#destroyLater();
  }

  destroy(): void {
    this.#isEnded = true;
    this.#webSocket.terminate();
  }

  #message(bytes: Uint8Array): void {
    this.#arrivedCount += 1;
    if (!this.#isEnded) this.#tell((listener) => listener.onMessage(bytes));
  }

  #ignored(): void {
    this.#arrivedCount += 1;
    if (!this.#isEnded) this.#tell((listener) => listener.onIgnored());
  }

  #drained(): void {
    if (!this.#isEnded) this.#listener?.onDrain();
  }

  #tell(event: (listener: TransportListener) => void): void {
    if (this.#listener !== undefined) return event(this.#listener);
    this.#early ??= [];
    this.#early.push(event);
  }

  #catchUp(listener: TransportListener): void {
    this.#listener = listener;
    for (const event of this.#early ?? []) event(listener);
    this.#early = undefined;
  }

  #violated(reason: string): void {
    if (this.#isEnded) return;
    this.#tell((listener) => listener.onViolation(reason));
  }

  /** A WebSocket that tells one message a turn has told all that came in front of the end once a turn brings none. */
  #loseOnceDrained(): void {
    this.#isDraining = true;
    const beforeCount = this.#arrivedCount;
    setTimeout(() => {
      if (this.#arrivedCount === beforeCount) this.#lost();
      else this.#loseOnceDrained();
    }, 0);
  }

  #lost(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#destroyLater();
    this.#tell((listener) => listener.onEnd(''));
  }

  #socketClosed(): void {
    this.#isSocketClosed = true;
    clearTimeout(this.#endTimer);
    if (!this.#isDraining) this.#lost();
  }

  /** A peer that neither reads nor ends would keep the socket for ever. */
  #destroyLater(): void {
    if (this.#isSocketClosed) return;
    this.#endTimer = setTimeout(() => this.#socket.destroy(), this.#endGraceMs);
  }
}
