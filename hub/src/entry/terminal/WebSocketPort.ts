import type { RawData, WebSocket } from 'ws';
import type { PortListener, TerminalPort } from './TerminalPort.ts';

/** A client that does not close its side after so long is cut off. */
const closeWithinMs = 5_000;
/** The codes of RFC 6455. */
const codes = { normal: 1000, policy: 1008 } as const;

/** The WebSocket of a client that is connected to this node. */
export class WebSocketPort implements TerminalPort {
  readonly #socket: WebSocket;
  #waitingBytes = 0;
  #listener: PortListener | undefined;
  /** Messages that arrived in one piece of bytes, after the one that is being handled. */
  readonly #unhandled: { readonly data: Buffer; readonly isBinary: boolean }[] = [];
  #isHandling = false;
  #isAlive = true;

  constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('error', () => socket.terminate());
    socket.on('pong', () => (this.#isAlive = true));
    socket.on('message', (data: RawData, isBinary) => this.#arrived(data as Buffer, isBinary));
    socket.on('close', () => this.#listener?.onClosed());
    // Until somebody receives what it sends.
    socket.pause();
  }

  get waitingBytes(): number {
    return this.#waitingBytes;
  }

  attach(listener: PortListener): void {
    this.#listener = listener;
    if (this.#socket.readyState === this.#socket.CLOSED) return listener.onClosed();
    this.#socket.resume();
    void this.#handle();
  }

  send(message: Uint8Array | string): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return;
    const sizeBytes = message.length;
    this.#waitingBytes += sizeBytes;
    this.#socket.send(message, { binary: typeof message !== 'string' }, () => {
      this.#waitingBytes -= sizeBytes;
      this.#listener?.onDrain();
    });
  }

  close(violation?: string): void {
    this.#unhandled.length = 0;
    this.#socket.resume();
    this.#socket.close(violation === undefined ? codes.normal : codes.policy, violation);
    setTimeout(() => this.#socket.terminate(), closeWithinMs).unref();
  }

  /** Cuts off a client that has not answered since the last time. */
  ping(): void {
    // While it is paused, no answer is read.
    if (this.#socket.isPaused) return;
    if (!this.#isAlive) return this.#socket.terminate();
    this.#isAlive = false;
    this.#socket.ping();
  }

  #arrived(data: Buffer, isBinary: boolean): void {
    this.#unhandled.push({ data, isBinary });
    void this.#handle();
  }

  async #handle(): Promise<void> {
    const listener = this.#listener;
    if (listener === undefined || this.#isHandling) return;
    this.#isHandling = true;
    for (let next = this.#unhandled.shift(); next !== undefined; next = this.#unhandled.shift()) {
      await this.#paused(next.isBinary ? listener.onFrame(next.data) : listener.onText(next.data.toString()));
    }
    this.#isHandling = false;
    this.#isAlive = true;
  }

  async #paused(handled: Promise<void> | undefined): Promise<void> {
    if (handled === undefined) return;
    this.#socket.pause();
    await handled;
    this.#socket.resume();
  }
}
