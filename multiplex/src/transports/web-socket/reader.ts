import { growBuffer } from '../../grow-buffer.ts';
import { retain } from '../../buffer-tracking.ts';
import { FrameHeader, opcodes } from './frame-header.ts';
import { applyMask, isZeroMask } from './mask.ts';

/** Receives the messages of a WebSocket, in order. */
export interface ReaderSink {
  /** Whether a message that begins with these bytes, at least nine, is delivered in parts; of other messages only the beginning is delivered. */
  acceptsParts(first: Uint8Array): boolean;
  /** A binary message, or its first part, of which `missingBytes` follow through `onPart`. The sink is a user of its buffer and releases it. */
  onMessage(bytes: Uint8Array, missingBytes: number): void;
  /** The next part of the last message, which the sink releases too. */
  onPart(bytes: Uint8Array): void;
  /** A text message or a Pong, which is ignored. */
  onIgnored(): void;
  /** A Ping with its payload. */
  onPing(payload: Uint8Array): void;
  /** The peer's close frame with its payload; nothing follows. */
  onClose(payload: Uint8Array): void;
  /** The peer broke RFC 6455; nothing follows. */
  onViolation(reason: string): void;
}

/** The settings of a reader. */
export interface ReaderSettings {
  /** Whether the peer masks its frames, as clients must, or not, as servers must. */
  readonly isPeerMasking: boolean;
  readonly maxMessageBytes: number;
  /** How many bytes are kept and delivered of a message that is not delivered in parts. */
  readonly maxBeginningBytes: number;
}

/** Frames below this are limited per call: each frame costs about the same, and larger ones arrive less often. */
const smallFrameBytes = 1_024;
const maxControlBytes = 125;
const maxFramesPerMessage = 16;
/** No message is delivered in parts before this many of its bytes are known. */
const minFirstBytes = 9;
const nothing = new Uint8Array(0);

class RuleViolation extends Error {}

/** Parses the bytes of a WebSocket without extensions (RFC 6455) into messages; copies only messages that must be whole and arrived in pieces. */
export class WebSocketReader {
  readonly #settings: ReaderSettings;
  readonly #sink: ReaderSink;
  readonly #header = new FrameHeader();
  #isOver = false;
  /** Bytes of the current payload that have not arrived; undefined while a header is read. */
  #leftBytes: number | undefined;
  #isMaskNeeded = false;
  /** The opcode of the current message, the number of its frames so far, and of its bytes. */
  #opcode: number | undefined;
  #frameCount = 0;
  #messageBytes = 0;
  #isDelivered = false;
  /** The received part of a message that is delivered whole. */
  #buffered: Uint8Array<ArrayBuffer> = nothing;
  #bufferedBytes = 0;
  #control: Uint8Array<ArrayBuffer> = nothing;
  #controlBytes = 0;

  constructor(settings: ReaderSettings, sink: ReaderSink) {
    this.#settings = settings;
    this.#sink = sink;
  }

  /** Stops delivering. */
  stop(): void {
    this.#isOver = true;
  }

  /** Reads bytes of a socket, at most to the end of `maxSmallFrames` frames below 1 KiB; returns how many. Masks are removed in place. */
  read(bytes: Uint8Array, maxSmallFrames: number): number {
    try {
      const offset = this.#read(bytes, maxSmallFrames);
      return this.#isOver ? bytes.length : offset;
    } catch (error) {
      if (!(error instanceof RuleViolation)) throw error;
      this.#isOver = true;
      this.#sink.onViolation(error.message);
      return bytes.length;
    }
  }

  #read(bytes: Uint8Array, maxSmallFrames: number): number {
    let offset = 0;
    for (let count = 0; count < maxSmallFrames && offset < bytes.length && !this.#isOver;) {
      if (this.#leftBytes === undefined) {
        offset = this.#header.take(bytes, offset);
        if (this.#header.isWhole) this.#beginFrame();
      } else {
        const end = Math.min(bytes.length, offset + this.#leftBytes);
        this.#payload(bytes.subarray(offset, end), this.#leftBytes);
        offset = end;
      }
      if (this.#leftBytes !== 0) continue;
      this.#leftBytes = undefined;
      if (this.#header.payloadBytes < smallFrameBytes) count += 1;
      this.#endFrame();
    }
    return offset;
  }

  #beginFrame(): void {
    const { opcode, isFinal, isMasked, hasReservedBits, payloadBytes } = this.#header;
    if (hasReservedBits) throw new RuleViolation('RSV bits must be clear');
    if (isMasked !== this.#settings.isPeerMasking)
      throw new RuleViolation(isMasked ? 'MASK must be clear' : 'MASK must be set');
    if (opcode < opcodes.close) this.#beginPart(opcode, payloadBytes);
    else if (opcode > opcodes.pong) throw new RuleViolation(`invalid opcode ${opcode}`);
    else if (!isFinal || payloadBytes > maxControlBytes) throw new RuleViolation('invalid control frame');
    this.#leftBytes = payloadBytes;
    this.#isMaskNeeded = isMasked && !isZeroMask(this.#header.mask);
  }

  /** The first frame of a message has its opcode; those after it are continuations. */
  #beginPart(opcode: number, payloadBytes: number): void {
    const follows = this.#opcode !== undefined;
    if (opcode > opcodes.binary || (opcode === opcodes.continuation) !== follows)
      throw new RuleViolation(`invalid opcode ${opcode}`);
    this.#opcode ??= opcode;
    this.#frameCount += 1;
    this.#messageBytes += payloadBytes;
    if (this.#frameCount > maxFramesPerMessage) throw new RuleViolation('too many message fragments');
    if (this.#messageBytes > this.#settings.maxMessageBytes)
      throw new RuleViolation('the message is too large');
  }

  #payload(part: Uint8Array, leftBytes: number): void {
    const { opcode, payloadBytes } = this.#header;
    if (this.#isMaskNeeded) applyMask(part, this.#header.mask, payloadBytes - leftBytes);
    this.#leftBytes = leftBytes - part.length;
    if (opcode >= opcodes.close) this.#bufferControl(part);
    else if (this.#opcode === opcodes.text) return;
    else if (this.#isDelivered) this.#deliverPart(part);
    else if (this.#header.isFinal && this.#frameCount === 1) this.#deliverOrBuffer(part, this.#leftBytes);
    else this.#buffer(part, this.#settings.maxMessageBytes);
  }

  /** Part of a message of one frame, of which `missingBytes` have not arrived. */
  #deliverOrBuffer(part: Uint8Array, missingBytes: number): void {
    if (this.#bufferedBytes > 0) return this.#deliverBuffered(part, missingBytes);
    const isInParts = this.#isInParts(part);
    if (missingBytes === 0 || isInParts) this.#deliver(part, missingBytes, isInParts);
    else this.#buffer(part, this.#settings.maxBeginningBytes);
  }

  /** As `deliverOrBuffer`, after a part that was too short to know the kind of the message, or that is not delivered in parts. */
  #deliverBuffered(part: Uint8Array, missingBytes: number): void {
    const unknownBytes = Math.max(0, minFirstBytes - this.#bufferedBytes);
    const rest = part.subarray(unknownBytes);
    const first = this.#buffer(part.subarray(0, unknownBytes), minFirstBytes + this.#bufferedBytes);
    if (unknownBytes > 0 && this.#isInParts(first)) {
      this.#deliver(first, missingBytes + rest.length, true);
      if (rest.length > 0) this.#deliverPart(rest);
      return;
    }
    const beginning = this.#buffer(rest, this.#settings.maxBeginningBytes);
    if (missingBytes === 0) this.#deliver(beginning, 0, false);
  }

  #isInParts(first: Uint8Array): boolean {
    return first.length >= minFirstBytes && this.#sink.acceptsParts(first);
  }

  #deliver(bytes: Uint8Array, missingBytes: number, isInParts: boolean): void {
    const delivered = isInParts ? bytes : bytes.subarray(0, this.#settings.maxBeginningBytes);
    this.#isDelivered = true;
    retain(delivered);
    this.#sink.onMessage(delivered, missingBytes);
  }

  #deliverPart(part: Uint8Array): void {
    retain(part);
    this.#sink.onPart(part);
  }

  /** Buffers a part, up to `maxBytes` of all of them; returns what is buffered. */
  #buffer(part: Uint8Array, maxBytes: number): Uint8Array {
    const kept = part.subarray(0, Math.max(0, maxBytes - this.#bufferedBytes));
    const length = this.#bufferedBytes + kept.length;
    this.#buffered = growBuffer(this.#buffered, length, maxBytes);
    this.#buffered.set(kept, this.#bufferedBytes);
    this.#bufferedBytes = length;
    return this.#buffered.subarray(0, length);
  }

  #bufferControl(part: Uint8Array): void {
    this.#control = growBuffer(this.#control, this.#controlBytes + part.length, maxControlBytes);
    this.#control.set(part, this.#controlBytes);
    this.#controlBytes += part.length;
  }

  #endFrame(): void {
    const { opcode, isFinal } = this.#header;
    this.#header.clear();
    if (opcode >= opcodes.close) this.#endControl(opcode);
    else if (isFinal) this.#endMessage();
  }

  #endMessage(): void {
    const isText = this.#opcode === opcodes.text;
    const whole = this.#buffered.subarray(0, this.#bufferedBytes);
    if (!isText && !this.#isDelivered) this.#deliver(whole, 0, this.#isInParts(whole));
    this.#opcode = undefined;
    this.#isDelivered = false;
    this.#frameCount = this.#messageBytes = this.#bufferedBytes = 0;
    this.#buffered = nothing;
    if (isText) this.#sink.onIgnored();
  }

  #endControl(opcode: number): void {
    const payload = this.#control.subarray(0, this.#controlBytes);
    this.#control = nothing;
    this.#controlBytes = 0;
    if (opcode === opcodes.pong) return this.#sink.onIgnored();
    if (opcode === opcodes.ping) return this.#sink.onPing(payload);
    this.#isOver = true;
    this.#sink.onClose(payload);
  }
}
