import { growBuffer } from '../../grow-buffer.ts';
import { retain } from '../../buffer-tracking.ts';
import { FrameHeader, opcodes } from './frame-header.ts';
import { applyMask, isZeroMask } from './mask.ts';

/** What a WebSocket's bytes tell, in order. */
export interface ReaderSink {
  /** Whether a message that begins with these bytes, nine at least, may be told in parts; of others only the beginning is told. */
  acceptsParts(first: Uint8Array): boolean;
  /** A binary message, or its first part, of which `missingBytes` follow through `onPart`. Its memory is shared with the sink. */
  onMessage(bytes: Uint8Array, missingBytes: number): void;
  /** The next part of the message that began last, shared as well. */
  onPart(bytes: Uint8Array): void;
  /** A text message or a Pong, at which nobody looks. */
  onIgnored(): void;
  /** A Ping with its payload. */
  onPing(payload: Uint8Array): void;
  /** The peer's close frame with its payload; nothing follows. */
  onClose(payload: Uint8Array): void;
  /** The rules were broken; nothing follows. */
  onViolation(reason: string): void;
}

/** What a reader is made for. */
export interface ReaderSettings {
  /** Whether the peer masks what it sends, as clients must, or sends it plain, as servers must. */
  readonly isPeerMasking: boolean;
  readonly maxMessageBytes: number;
  /** How much is kept, and told, of a message that may not be told in parts. */
  readonly maxBeginningBytes: number;
}

/** What a frame costs is mostly the same for all; larger ones come less often. */
const smallFrameBytes = 1_024;
const maxControlBytes = 125;
const maxFramesPerMessage = 16;
/** No message is told in parts before as many of its bytes are known. */
const leastFirstBytes = 9;
const nothing = new Uint8Array(0);

class RuleViolation extends Error {}

/** Cuts what a WebSocket without extensions receives (RFC 6455) into messages; copies only what has to be whole and came in pieces. */
export class WebSocketReader {
  readonly #settings: ReaderSettings;
  readonly #sink: ReaderSink;
  readonly #header = new FrameHeader();
  #isOver = false;
  /** Bytes of the payload under way that have not come; undefined while a head is read. */
  #leftBytes: number | undefined;
  #isMaskNeeded = false;
  /** The opcode of the message under way, in how many frames it came, and how many bytes of it. */
  #opcode: number | undefined;
  #frameCount = 0;
  #messageBytes = 0;
  #isDelivered = false;
  /** What is told as a whole and is not whole yet. */
  #buffered: Uint8Array<ArrayBuffer> = nothing;
  #bufferedBytes = 0;
  #control: Uint8Array<ArrayBuffer> = nothing;
  #controlBytes = 0;

  constructor(settings: ReaderSettings, sink: ReaderSink) {
    this.#settings = settings;
    this.#sink = sink;
  }

  /** Tells nothing any more. */
  stop(): void {
    this.#isOver = true;
  }

  /** Takes in bytes of a socket, to the end of `maxSmallFrames` frames below 1 KiB at most; answers how many. Masks are undone in place. */
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
        const behind = Math.min(bytes.length, offset + this.#leftBytes);
        this.#payload(bytes.subarray(offset, behind), this.#leftBytes);
        offset = behind;
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

  /** The first frame of a message says what it is, those behind it only that they follow. */
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

  /** Part of a message of one frame, of which `missingBytes` are still to come. */
  #deliverOrBuffer(part: Uint8Array, missingBytes: number): void {
    if (this.#bufferedBytes > 0) return this.#deliverBuffered(part, missingBytes);
    const isInParts = this.#isInParts(part);
    if (missingBytes === 0 || isInParts) this.#deliver(part, missingBytes, isInParts);
    else this.#buffer(part, this.#settings.maxBeginningBytes);
  }

  /** As `tellOrGather`, behind a part that was too short to know what the message is, or that nothing may be told of by itself. */
  #deliverBuffered(part: Uint8Array, missingBytes: number): void {
    const unknownBytes = Math.max(0, leastFirstBytes - this.#bufferedBytes);
    const rest = part.subarray(unknownBytes);
    const first = this.#buffer(part.subarray(0, unknownBytes), leastFirstBytes + this.#bufferedBytes);
    if (unknownBytes > 0 && this.#isInParts(first)) {
      this.#deliver(first, missingBytes + rest.length, true);
      if (rest.length > 0) this.#deliverPart(rest);
      return;
    }
    const beginning = this.#buffer(rest, this.#settings.maxBeginningBytes);
    if (missingBytes === 0) this.#deliver(beginning, 0, false);
  }

  #isInParts(first: Uint8Array): boolean {
    return first.length >= leastFirstBytes && this.#sink.acceptsParts(first);
  }

  #deliver(bytes: Uint8Array, missingBytes: number, isInParts: boolean): void {
    const told = isInParts ? bytes : bytes.subarray(0, this.#settings.maxBeginningBytes);
    this.#isDelivered = true;
    retain(told);
    this.#sink.onMessage(told, missingBytes);
  }

  #deliverPart(part: Uint8Array): void {
    retain(part);
    this.#sink.onPart(part);
  }

  /** Keeps a part, up to `maxBytes` of all of them; answers what is kept. */
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
