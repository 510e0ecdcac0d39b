import { trackBuffer, release } from '../../buffer-tracking.ts';
import type { Transport, TransportListener } from '../../transport.ts';
import { nextTurn, coalesceWrites, type CorkableSocket } from '../../coalesce-writes.ts';
import { encodeWebSocketFrame, opcodes } from './frame-header.ts';
import { applyMask, isZeroMask } from './mask.ts';
import { WebSocketReader, type ReaderSink } from './reader.ts';

/** What is used of a TCP or TLS socket of Node. */
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

/** How the WebSocket is spoken. */
export interface WebSocketForm {
  /** Which side this is. */
  readonly side: 'client' | 'server';
  /** Fills the four bytes that a client's next frame is masked with; absent, it is masked with zeros, which change nothing. */
  readonly fillMask?: (mask: Uint8Array<ArrayBuffer>) => void;
  /** How long a peer may take for the rest, and to end its side, once either side has ended. */
  readonly endGraceMs?: number;
}

const defaultEndGraceMs = 5_000;
/** The longest frame: the largest window ever granted, and the fields in front of it. */
const maxMessageBytes = 1_048_576 + 9;
/** Frames other than data say nothing behind their fields and texts of 4 KiB: what stands there would only fill memory. */
const maxBeginningBytes = 16_384;
/** A peer that sends thousands of tiny frames at once holds up nobody else. */
const smallFramesPerTurn = 2;
/** Answers to Pings that a peer does not read pile up this far. */
const maxPongsBytes = 65_536;
/** Below this a payload is copied behind its head rather than handed over by itself. */
const smallPayloadBytes = 1_024;
const zeroMask = new Uint8Array(4);
const nothing = new Uint8Array(0);

/**
 * Carries frames over the TCP or TLS socket of an open WebSocket (RFC 6455, no extensions), which both sides get from the event `upgrade` of
 * `node:http`. Create it in that event, so that no byte is missed; what arrives before `attach` is kept.
 */
export class WebSocketTransport implements Transport, ReaderSink {
  readonly #socket: SocketLike;
  readonly #form: WebSocketForm;
  readonly #reader: WebSocketReader;
  #listener: TransportListener | undefined;
  /** What has come and was not read: nobody listens yet, or it is much and the rest waits for the next turn. */
  #unread: Uint8Array[] = [];
  #isTurnOver = false;
  #isPaused = false;
  #hasInputEnded = false;
  #endTimer: ReturnType<typeof setTimeout> | undefined;
  #isEnded = false;
  #isSocketClosed = false;

  constructor(socket: SocketLike, form: WebSocketForm) {
    this.#socket = socket;
    this.#form = form;
    const isPeerMasking = form.side === 'server';
    this.#reader = new WebSocketReader({ isPeerMasking, maxMessageBytes, maxBeginningBytes }, this);
    socket.on('data', (bytes) => this.#arrived(bytes));
    // A socket that breaks just closes.
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
    const mask = this.#fillMask();
    if (mask === undefined || isZeroMask(mask)) this.#sendPlain(head, payload, mask, onSent);
    else this.#sendMasked(head, payload, mask, onSent);
  }

  end(): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#forgetInput();
    this.#socket.end();
    this.#destroyLater();
  }

  destroy(): void {
    this.#isEnded = true;
    this.#forgetInput();
    this.#socket.destroy();
  }

  // What the reader tells.

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

  #fillMask(): Uint8Array | undefined {
    const { side, fillMask } = this.#form;
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

  /** A control frame of this side; its few bytes need no other mask than zeros. */
  #answer(opcode: number, payload: Uint8Array): void {
    const mask = this.#form.side === 'client' ? zeroMask : undefined;
    if (!this.#isEnded) this.#socket.write(encodeWebSocketFrame(opcode, payload.length, mask, payload));
  }

  // Receiving.

  #arrived(bytes: Uint8Array): void {
    trackBuffer(bytes);
    this.#unread.push(bytes);
    if (!this.#isTurnOver) this.#readOn();
  }

  /** Reads what has come, as long as somebody listens and the turn is not over. */
  #readOn(): void {
    while (this.#listener !== undefined && !this.#isEnded) {
      const bytes = this.#unread[0];
      if (bytes === undefined) return this.#allRead();
      const takenBytes = this.#reader.read(bytes, smallFramesPerTurn);
      if (takenBytes < bytes.length) return this.#endTurn(bytes.subarray(takenBytes));
      // An end in the middle of it has forgotten all that came.
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

  /** From here on the input is noise. */
  #forgetInput(): void {
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

  /** A peer that neither reads nor ends would keep the socket for ever. */
  #destroyLater(): void {
    if (this.#isSocketClosed) return;
    this.#endTimer = setTimeout(() => this.#socket.destroy(), this.#form.endGraceMs ?? defaultEndGraceMs);
  }
}

/** What nobody reads would else be left to the collector. */
function free(bytes: Uint8Array): void {
  trackBuffer(bytes);
  release(bytes);
}
