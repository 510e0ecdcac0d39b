import { trackBuffer, release } from '../../buffer-tracking.ts';
import type { Transport, TransportListener } from '../../transport.ts';
import { nextTurn, coalesceWrites, type CorkableSocket } from '../../coalesce-writes.ts';
import { encodeWebSocketFrame, opcodes } from './frame-header.ts';
import { applyMask, isZeroMask } from './mask.ts';
import { WebSocketReader, type ReaderSink } from './reader.ts';

/** The parts of a TCP or TLS socket of Node that are used. */
export interface SocketLike extends CorkableSocket {
  write(bytes: Uint8Array, callback?: (error?: Error | null) => void): boolean;
  end(): unknown;
  destroy(): unknown;
  pause(): unknown;
  resume(): unknown;
  removeAllListeners(event: 'data'): unknown;
  on(event: 'data', listener: (bytes: Uint8Array) => void): unknown;
  on(event: 'end' | 'drain' | 'close', listener: () => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
}

/** The settings of one side of a WebSocket. */
export interface WebSocketSettings {
  /** Which side this is. */
  readonly side: 'client' | 'server';
  /** Fills the four bytes that mask a client's next frame; when absent, the mask is zeros, which change nothing. */
  readonly fillMask?: (mask: Uint8Array<ArrayBuffer>) => void;
  /** How long a peer may take to read the rest and to end its side, once either side has ended. */
  readonly endGraceMs?: number;
}

const defaultEndGraceMs = 5_000;
/** The longest frame: the largest receive window and the fields before it. */
const maxMessageBytes = 1_048_576 + 9;
/** Frames other than data have no more than their fields and texts of 4 KiB; more would only fill memory. */
const maxBeginningBytes = 16_384;
/** Limits a peer that sends thousands of tiny frames at once, so that it does not block other connections. */
const smallFramesPerTurn = 2;
/** No Pong is sent while more than this is buffered, so that a peer that does not read cannot make them pile up. */
const maxPongsBytes = 65_536;
/** A smaller payload is copied after its header instead of being written separately. */
const smallPayloadBytes = 1_024;
const zeroMask = new Uint8Array(4);
const nothing = new Uint8Array(0);

/**
 * Carries frames over the TCP or TLS socket of an open WebSocket (RFC 6455, no extensions), which both sides get from the event `upgrade` of
 * `node:http`. Create it in that event, so that no byte is missed; what arrives before `attach` is kept.
 */
export class WebSocketTransport implements Transport, ReaderSink {
  readonly #socket: SocketLike;
  readonly #settings: WebSocketSettings;
  readonly #reader: WebSocketReader;
  #listener: TransportListener | undefined;
  /** Received bytes that are not parsed yet: there is no listener, or the rest waits for the next turn of the event loop. */
  #unread: Uint8Array[] = [];
  #isTurnOver = false;
  #isPaused = false;
  #hasInputEnded = false;
  #endTimer: ReturnType<typeof setTimeout> | undefined;
  #isEnded = false;
  #isSocketClosed = false;

  constructor(socket: SocketLike, settings: WebSocketSettings) {
    this.#socket = socket;
    this.#settings = settings;
    const isPeerMasking = settings.side === 'server';
    this.#reader = new WebSocketReader({ isPeerMasking, maxMessageBytes, maxBeginningBytes }, this);
    socket.on('data', (bytes) => this.#arrived(bytes));
    // An error is followed by `close`.
    socket.on('error', () => undefined);
    socket.on('drain', () => this.#drained());
    socket.on('end', () => this.#inputEnded());
    socket.on('close', () => this.#socketClosed());
  }

  get bufferedBytes(): number {
    return this.#socket.writableLength;
  }

  attach(listener: TransportListener): void {
    this.#listener = listener;
    if (this.#unread.length > 0 || this.#hasInputEnded) queueMicrotask(() => this.#readOn());
  }

  send(head: Uint8Array, payload: Uint8Array = nothing, onSent?: () => void): void {
    if (this.#isEnded) return;
    const mask = this.#nextMask();
    if (mask === undefined || isZeroMask(mask)) this.#sendPlain(head, payload, mask, onSent);
    else this.#sendMasked(head, payload, mask, onSent);
  }

  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#ignoreInput();
    this.#socket.end();
    this.#destroyLater();
  }

  destroy(): void {
    this.#isEnded = true;
    this.#ignoreInput();
    this.#socket.destroy();
  }

  // Events of the reader.

  acceptsParts(first: Uint8Array): boolean {
    return this.#listener?.acceptsParts(first) ?? false;
  }

  onMessage(bytes: Uint8Array, missingBytes: number): void {
    this.#listener?.onMessage(bytes, missingBytes);
  }

  onPart(bytes: Uint8Array): void {
    this.#listener?.onPart(bytes);
  }

  onIgnored(): void {
    this.#listener?.onIgnored();
  }

  onPing(payload: Uint8Array): void {
    if (this.bufferedBytes < maxPongsBytes) this.#answer(opcodes.pong, payload);
    this.#listener?.onIgnored();
  }

  onClose(payload: Uint8Array): void {
    this.#answer(opcodes.close, payload.subarray(0, 2));
    this.#lost();
  }

  onViolation(reason: string): void {
    this.#listener?.onViolation(reason);
  }

  // Sending.

  #nextMask(): Uint8Array | undefined {
    const { side, fillMask } = this.#settings;
    if (side === 'server') return undefined;
    if (fillMask === undefined) return zeroMask;
    const mask = new Uint8Array(4);
    fillMask(mask);
    return mask;
  }

  #sendPlain(
    head: Uint8Array,
    payload: Uint8Array,
    mask: Uint8Array | undefined,
    onSent: (() => void) | undefined,
  ): void {
    const socket = this.#socket;
    const sizeBytes = head.length + payload.length;
    if (payload.length < smallPayloadBytes) {
      const frame = encodeWebSocketFrame(opcodes.binary, sizeBytes, mask, head, payload);
      coalesceWrites(socket, () => socket.write(frame));
      return onSent?.();
    }
    coalesceWrites(socket, () => {
      socket.write(encodeWebSocketFrame(opcodes.binary, sizeBytes, mask, head));
      socket.write(payload, onSent);
    });
  }

  #sendMasked(
    head: Uint8Array,
    payload: Uint8Array,
    mask: Uint8Array,
    onSent: (() => void) | undefined,
  ): void {
    const frame = encodeWebSocketFrame(opcodes.binary, head.length + payload.length, mask, head, payload);
    onSent?.();
    applyMask(frame.subarray(frame.length - head.length - payload.length), mask, 0);
    trackBuffer(frame);
    coalesceWrites(this.#socket, () => this.#socket.write(frame, () => release(frame)));
  }

  /** Sends a control frame; its few bytes need no random mask. */
  #answer(opcode: number, payload: Uint8Array): void {
    const mask = this.#settings.side === 'client' ? zeroMask : undefined;
    if (!this.#isEnded) this.#socket.write(encodeWebSocketFrame(opcode, payload.length, mask, payload));
  }

  // Receiving.

  #arrived(bytes: Uint8Array): void {
    trackBuffer(bytes);
    this.#unread.push(bytes);
    if (!this.#isTurnOver) this.#readOn();
  }

  /** Parses received bytes while there is a listener and the turn is not over. */
  #readOn(): void {
    while (this.#listener !== undefined && !this.#isEnded) {
      const bytes = this.#unread[0];
      if (bytes === undefined) return this.#allRead();
      const takenBytes = this.#reader.read(bytes, smallFramesPerTurn);
      if (takenBytes < bytes.length) return this.#endTurn(bytes.subarray(takenBytes));
      // An end meanwhile has released all received bytes.
      if (this.#unread.shift() !== undefined) release(bytes);
    }
    if (!this.#isEnded) this.#pause();
  }

  #allRead(): void {
    if (this.#hasInputEnded) return this.#lost();
    if (this.#isPaused) this.#socket.resume();
    this.#isPaused = false;
  }

  #endTurn(rest: Uint8Array): void {
    this.#unread[0] = rest;
    this.#isTurnOver = true;
    this.#pause();
    nextTurn(() => {
      this.#isTurnOver = false;
      this.#readOn();
    });
  }

  #pause(): void {
    if (!this.#isPaused) this.#socket.pause();
    this.#isPaused = true;
  }

  /** Ignores all input from now on. */
  #ignoreInput(): void {
    this.#reader.stop();
    for (const bytes of this.#unread.splice(0)) release(bytes);
    this.#socket.removeAllListeners('data');
    this.#socket.on('data', free);
    this.#socket.resume();
  }

  // The end.

  #drained(): void {
    if (!this.#isEnded) this.#listener?.onDrain();
  }

  #inputEnded(): void {
    this.#hasInputEnded = true;
    if (!this.#isTurnOver) this.#readOn();
  }

  #lost(): void {
    if (this.#isEnded) return;
    this.end();
    this.#listener?.onEnd('');
  }

  #socketClosed(): void {
    this.#isSocketClosed = true;
    clearTimeout(this.#endTimer);
    this.#inputEnded();
  }

  /** Destroys the socket of a peer that neither reads nor ends. */
  #destroyLater(): void {
    if (this.#isSocketClosed) return;
    this.#endTimer = setTimeout(() => this.#socket.destroy(), this.#settings.endGraceMs ?? defaultEndGraceMs);
  }
}

/** Frees ignored input at once instead of leaving it to the garbage collector. */
function free(bytes: Uint8Array): void {
  trackBuffer(bytes);
  release(bytes);
}
