import { ProtocolViolation } from './errors.ts';

/** One protocol frame; ids count from 1, credits are unsigned 32-bit, and texts are raw bytes of UTF-8. */
export type Frame =
  | { kind: 'Hello'; info: Uint8Array }
  | { kind: 'Close'; reason: Uint8Array }
  | {
      kind: 'ChannelRequest';
      senderId: number;
      frameCredit: number;
      byteCredit: number;
      endpoint: Uint8Array;
    }
  | { kind: 'ChannelAccept'; receiverId: number; senderId: number; frameCredit: number; byteCredit: number }
  | { kind: 'ChannelReject'; receiverId: number; reason: Uint8Array }
  | { kind: 'ChannelData'; receiverId: number; payload: Uint8Array }
  | { kind: 'ChannelAdjust'; receiverId: number; frameCredit: number; byteCredit: number }
  | { kind: 'ChannelClose'; receiverId: number; reason: Uint8Array }
  | { kind: 'ChannelClosed'; receiverId: number; reason: Uint8Array }
  | { kind: 'Ping' }
  | { kind: 'Pong' };

const tags = {
  Hello: 0x00,
  Close: 0xff,
  ChannelRequest: 0x10,
  ChannelAccept: 0x11,
  ChannelReject: 0x12,
  ChannelData: 0x13,
  ChannelAdjust: 0x14,
  ChannelClose: 0x15,
  ChannelClosed: 0x17,
  Ping: 0x20,
  Pong: 0x21,
} as const;

const magic = Uint8Array.of(27, 27, 46, 134, 44, 205, 244, 157, 82, 109, 227, 13, 167, 171, 225, 140);
const nothing = new Uint8Array(0);

class FieldWriter {
  readonly bytes: Uint8Array;
  readonly #view: DataView;
  #offset = 1;

  constructor(tag: number, fixedBytes: number, rest: Uint8Array) {
    this.bytes = new Uint8Array(1 + fixedBytes + rest.length);
    this.bytes[0] = tag;
    this.bytes.set(rest, 1 + fixedBytes);
    this.#view = new DataView(this.bytes.buffer);
  }

  id(value: number): this {
    this.#view.setUint32(this.#offset, Math.floor(value / 0x1_0000_0000));
    this.#view.setUint32(this.#offset + 4, value % 0x1_0000_0000);
    this.#offset += 8;
    return this;
  }

  credit(value: number): this {
    this.#view.setUint32(this.#offset, value);
    this.#offset += 4;
    return this;
  }
}

/** The bytes of one frame, ready to be sent as one binary message. */
export function encodeFrame(frame: Frame): Uint8Array {
  const tag = tags[frame.kind];
  switch (frame.kind) {
    case 'Hello':
      return encodeHello(frame.info);
    case 'Close':
      return new FieldWriter(tag, 0, frame.reason).bytes;
    case 'ChannelRequest':
      return new FieldWriter(tag, 16, frame.endpoint)
        .id(frame.senderId)
        .credit(frame.frameCredit)
        .credit(frame.byteCredit).bytes;
    case 'ChannelAccept':
      return new FieldWriter(tag, 24, nothing)
        .id(frame.receiverId)
        .id(frame.senderId)
        .credit(frame.frameCredit)
        .credit(frame.byteCredit).bytes;
    case 'ChannelAdjust':
      return new FieldWriter(tag, 16, nothing)
        .id(frame.receiverId)
        .credit(frame.frameCredit)
        .credit(frame.byteCredit).bytes;
    case 'ChannelData':
      return new FieldWriter(tag, 8, frame.payload).id(frame.receiverId).bytes;
    case 'ChannelReject':
    case 'ChannelClose':
    case 'ChannelClosed':
      return new FieldWriter(tag, 8, frame.reason).id(frame.receiverId).bytes;
    case 'Ping':
    case 'Pong':
      return Uint8Array.of(tag);
  }
}

const dataHeaderBytes = 9;

/** The fields of ChannelData before its payload, and the first bytes of that. */
export function dataHeader(receiverId: number, head: Uint8Array = nothing): Uint8Array {
  return new FieldWriter(tags.ChannelData, 8, head).id(receiverId).bytes;
}

/** Whether these first bytes of a frame are ChannelData with all fields before its payload. */
export function isDataFrame(bytes: Uint8Array): boolean {
  return bytes[0] === tags.ChannelData && bytes.length >= dataHeaderBytes;
}

function encodeHello(info: Uint8Array): Uint8Array {
  const { bytes } = new FieldWriter(tags.Hello, magic.length, info);
  bytes.set(magic, 1);
  return bytes;
}

class FieldReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  #offset = 1;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  #take(length: number): number {
    const start = this.#offset;
    this.#offset += length;
    if (this.#offset > this.#bytes.length) throw new ProtocolViolation('frame is too short');
    return start;
  }

  /** Ids count up from 1, so an id above the safe integers cannot be valid. */
  id(): number {
    const start = this.#take(8);
    const value = this.#view.getUint32(start) * 0x1_0000_0000 + this.#view.getUint32(start + 4);
    if (!Number.isSafeInteger(value)) throw new ProtocolViolation('channel id is out of range');
    return value;
  }

  credit(): number {
    return this.#view.getUint32(this.#take(4));
  }

  fixed(length: number): Uint8Array {
    const start = this.#take(length);
    return this.#bytes.subarray(start, start + length);
  }

  rest(): Uint8Array {
    return this.#bytes.subarray(this.#offset);
  }
}

/** Reads one message as a frame; its byte fields are views into `bytes`. Throws ProtocolViolation. */
export function decodeFrame(bytes: Uint8Array): Frame {
  const fields = new FieldReader(bytes);
  switch (bytes[0]) {
    case tags.ChannelData:
      return { kind: 'ChannelData', receiverId: fields.id(), payload: fields.rest() };
    case tags.ChannelAdjust:
      return {
        kind: 'ChannelAdjust',
        receiverId: fields.id(),
        frameCredit: fields.credit(),
        byteCredit: fields.credit(),
      };
    case tags.Ping:
      return { kind: 'Ping' };
    case tags.Pong:
      return { kind: 'Pong' };
    case tags.Hello:
      return decodeHello(fields);
    case tags.Close:
      return { kind: 'Close', reason: fields.rest() };
    default:
      return decodeChannelLife(bytes[0], fields);
  }
}

function decodeHello(fields: FieldReader): Frame {
  const received = fields.fixed(magic.length);
  if (!magic.every((byte, index) => byte === received[index])) throw new ProtocolViolation('wrong magic');
  return { kind: 'Hello', info: fields.rest() };
}

function decodeChannelLife(tag: number | undefined, fields: FieldReader): Frame {
  switch (tag) {
    case tags.ChannelRequest:
      return {
        kind: 'ChannelRequest',
        senderId: fields.id(),
        frameCredit: fields.credit(),
        byteCredit: fields.credit(),
        endpoint: fields.rest(),
      };
    case tags.ChannelAccept:
      return {
        kind: 'ChannelAccept',
        receiverId: fields.id(),
        senderId: fields.id(),
        frameCredit: fields.credit(),
        byteCredit: fields.credit(),
      };
    case tags.ChannelReject:
      return { kind: 'ChannelReject', receiverId: fields.id(), reason: fields.rest() };
    case tags.ChannelClose:
      return { kind: 'ChannelClose', receiverId: fields.id(), reason: fields.rest() };
    case tags.ChannelClosed:
      return { kind: 'ChannelClosed', receiverId: fields.id(), reason: fields.rest() };
    default:
      throw new ProtocolViolation(tag === undefined ? 'frame is empty' : 'unknown frame');
  }
}
