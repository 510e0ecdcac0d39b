/** The types of frames of terminals: `u32 length · u8 type · body`, where the length counts type and body. */
export const frameTypes = { data: 0, resize: 1, exit: 2 } as const;

/** The longest frame without its length. */
const maxFrameBytes = 1_048_577;
const headBytes = 5;
const resizeBytes = 4;
const exitBytes = 4;

/** A frame with its head. */
export function frameOf(type: number, body: Uint8Array): Buffer {
  const frame = Buffer.allocUnsafe(headBytes + body.length);
  frame.writeUInt32BE(1 + body.length);
  frame[4] = type;
  frame.set(body, headBytes);
  return frame;
}

/** The frame with which the hub tells how the shell ended. */
export function exitFrame(status: number): Buffer {
  const body = Buffer.alloc(exitBytes);
  body.writeInt32BE(status);
  return frameOf(frameTypes.exit, body);
}

/** The size of a terminal. */
export interface Size {
  readonly cols: number;
  readonly rows: number;
}

/** Whether a message of a client is exactly one frame that a client may send, and of which kind. */
export function clientFrame(message: Uint8Array): 'Data' | Size | undefined {
  if (message.length < headBytes || message.length > maxFrameBytes + 4) return undefined;
  const view = new DataView(message.buffer, message.byteOffset, message.length);
  if (view.getUint32(0) !== message.length - 4) return undefined;
  if (message[4] === frameTypes.data) return 'Data';
  if (message[4] !== frameTypes.resize || message.length !== headBytes + resizeBytes) return undefined;
  return { cols: view.getUint16(5), rows: view.getUint16(7) };
}

/** Receives what a device sends. */
export interface DeviceSink {
  /** Output, which is valid during the call. */
  data(bytes: Uint8Array): void;
  exit(status: number): void;
}

/** Parses what a device sends, until it says how the shell ended. A frame of data is passed on as it arrives. */
export class DeviceFrames {
  readonly #sink: DeviceSink;
  readonly #head = Buffer.alloc(headBytes);
  readonly #exit = Buffer.alloc(exitBytes);
  #headLength = 0;
  #left = 0;
  #hasExited = false;

  constructor(sink: DeviceSink) {
    this.#sink = sink;
  }

  /** Parses bytes; false where they are no frames that a device may send. */
  push(bytes: Uint8Array): boolean {
    for (let at = 0; at < bytes.length && !this.#hasExited;) {
      if (this.#headLength < headBytes) {
        at += this.#takeHead(bytes.subarray(at));
        if (this.#headLength === headBytes && !this.#begin()) return false;
        continue;
      }
      const part = bytes.subarray(at, at + this.#left);
      at += part.length;
      this.#body(part);
    }
    return true;
  }

  #takeHead(bytes: Uint8Array): number {
    const taken = bytes.subarray(0, headBytes - this.#headLength);
    this.#head.set(taken, this.#headLength);
    this.#headLength += taken.length;
    return taken.length;
  }

  #begin(): boolean {
    const sizeBytes = this.#head.readUInt32BE();
    const type = this.#head[4];
    this.#left = sizeBytes - 1;
    if (sizeBytes === 0 || sizeBytes > maxFrameBytes) return false;
    if (type === frameTypes.exit) return this.#left === exitBytes;
    if (this.#left === 0) this.#headLength = 0;
    return type === frameTypes.data;
  }

  #body(part: Uint8Array): void {
    const isData = this.#head[4] === frameTypes.data;
    if (isData) this.#sink.data(part);
    else this.#exit.set(part, exitBytes - this.#left);
    this.#left -= part.length;
    if (this.#left > 0) return;
    this.#headLength = 0;
    if (isData) return;
    this.#hasExited = true;
    this.#sink.exit(this.#exit.readInt32BE());
  }
}
