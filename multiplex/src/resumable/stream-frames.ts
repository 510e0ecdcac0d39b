import { release, retain } from '../buffer-tracking.ts';
import { ProtocolViolation } from '../errors.ts';

/** The first frame of the opener. */
export interface OpenFrame {
  readonly isNew: boolean;
  readonly sessionId: Uint8Array;
  readonly receipt: Receipt;
}

/** The progress of one side as a receiver; the end of a stream counts as a byte. */
export interface Receipt {
  /** The position up to which it has received. */
  readonly receivedTo: number;
  /** The position up to which the other side may send. */
  readonly limit: number;
}

/** Receives the frames of a stream. Each method may throw a ProtocolViolation. */
export interface StreamFrameSink {
  onOpen(frame: OpenFrame): void;
  onAccept(receipt: Receipt): void;
  /** At least one byte of a data frame; the sink owns it (see buffer-tracking). */
  onData(bytes: Uint8Array): void;
  onAck(receipt: Receipt): void;
  onEnd(): void;
}

/** The length of the random id of a stream. */
export const sessionIdBytes = 16;
const version = 1;
const types = { open: 0x01, accept: 0x02, data: 0x10, ack: 0x11, end: 0x12 } as const;
/** The length of each frame, with its type and without the bytes of a data frame. */
const sizes: Readonly<Record<number, number>> = {
  [types.open]: 3 + sessionIdBytes + 16,
  [types.accept]: 17,
  [types.data]: 5,
  [types.ack]: 17,
  [types.end]: 1,
};
/** The length of the fields before the bytes of a data frame. */
export const dataHeadBytes = 5;

/** Encodes the first frame of the opener. */
export function encodeOpen({ isNew, sessionId, receipt }: OpenFrame): Uint8Array {
  const bytes = new Uint8Array(3 + sessionIdBytes + 16);
  bytes.set([types.open, version, isNew ? 0 : 1]);
  bytes.set(sessionId, 3);
  writeReceipt(bytes, 3 + sessionIdBytes, receipt);
  return bytes;
}

/** Encodes the first frame of the acceptor. */
export function encodeAccept(receipt: Receipt): Uint8Array {
  return encodeReceipt(types.accept, receipt);
}

/** Encodes an acknowledgement. */
export function encodeAck(receipt: Receipt): Uint8Array {
  return encodeReceipt(types.ack, receipt);
}

/** Encodes the end of a direction. */
export const encodeEnd = (): Uint8Array => Uint8Array.of(types.end);

/** Writes the fields before the bytes of a data frame. */
export function writeDataHead(into: Uint8Array, sizeBytes: number): void {
  into[0] = types.data;
  new DataView(into.buffer, into.byteOffset).setUint32(1, sizeBytes);
}

function encodeReceipt(type: number, receipt: Receipt): Uint8Array {
  const bytes = new Uint8Array(17);
  bytes[0] = type;
  writeReceipt(bytes, 1, receipt);
  return bytes;
}

function writeReceipt(bytes: Uint8Array, at: number, { receivedTo, limit }: Receipt): void {
  const view = new DataView(bytes.buffer);
  for (const [index, value] of [receivedTo, limit].entries()) {
    view.setUint32(at + 8 * index, Math.floor(value / 0x1_0000_0000));
    view.setUint32(at + 8 * index + 4, value % 0x1_0000_0000);
  }
}

/** Parses the frames of one direction of a channel, which may be split anywhere. */
export class StreamFrameReader {
  /** May be replaced at any time, also by one of its own methods. */
  sink: StreamFrameSink;
  readonly #head = new Uint8Array(3 + sessionIdBytes + 16);
  #headBytes = 0;
  #dataLeftBytes = 0;
  #isStopped = false;

  constructor(sink: StreamFrameSink) {
    this.sink = sink;
  }

  /** Ignores all further bytes. */
  stop(): void {
    this.#isStopped = true;
  }

  /** Takes ownership of bytes and parses them. Throws ProtocolViolation, after which it must be stopped. */
  read(bytes: Uint8Array): void {
    const sizeBytes = bytes.length;
    try {
      for (let at = 0; at < sizeBytes && !this.#isStopped;) {
        if (this.#dataLeftBytes > 0) at += this.#readData(bytes, at);
        else this.#readHead(bytes[at++] ?? 0);
      }
    } finally {
      release(bytes);
    }
  }

  #readData(bytes: Uint8Array, at: number): number {
    const part = bytes.subarray(at, at + this.#dataLeftBytes);
    const sizeBytes = part.length;
    this.#dataLeftBytes -= sizeBytes;
    retain(part);
    this.sink.onData(part);
    return sizeBytes;
  }

  #readHead(byte: number): void {
    this.#head[this.#headBytes] = byte;
    this.#headBytes += 1;
    const sizeBytes = sizes[this.#head[0] ?? 0];
    if (sizeBytes === undefined) throw new ProtocolViolation('unknown frame of a stream');
    if (this.#headBytes < sizeBytes) return;
    this.#headBytes = 0;
    this.#dispatch(this.#head[0] ?? 0);
  }

  #dispatch(type: number): void {
    if (type === types.data) this.#dataLeftBytes = readUint(this.#head, 1, 4);
    else if (type === types.ack) this.sink.onAck(readReceipt(this.#head, 1));
    else if (type === types.end) this.sink.onEnd();
    else if (type === types.accept) this.sink.onAccept(readReceipt(this.#head, 1));
    else this.sink.onOpen(readOpen(this.#head));
  }
}

function readOpen(head: Uint8Array): OpenFrame {
  if (head[1] !== version) throw new ProtocolViolation('unknown version of a stream');
  if ((head[2] ?? 2) > 1) throw new ProtocolViolation('a stream is neither new nor resumed');
  const sessionId = head.slice(3, 3 + sessionIdBytes);
  return { isNew: head[2] === 0, sessionId, receipt: readReceipt(head, 3 + sessionIdBytes) };
}

function readReceipt(head: Uint8Array, at: number): Receipt {
  return { receivedTo: readUint(head, at, 8), limit: readUint(head, at + 8, 8) };
}

/** An unsigned integer, exact up to 2^53 − 1. */
function readUint(head: Uint8Array, at: number, sizeBytes: number): number {
  let value = 0;
  for (let index = at; index < at + sizeBytes; index += 1) value = value * 256 + (head[index] ?? 0);
  if (!Number.isSafeInteger(value)) throw new ProtocolViolation('position of a stream is out of range');
  return value;
}
