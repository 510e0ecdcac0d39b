/** The operation codes of RFC 6455 that are in use. */
export const opcodes = { continuation: 0, text: 1, binary: 2, close: 8, ping: 9, pong: 10 } as const;

/** Collects the header of a frame byte by byte, however the network has split it, and parses its fields. */
export class FrameHeader {
  readonly #bytes = new Uint8Array(14);
  readonly #view = new DataView(this.#bytes.buffer);
  #have = 0;

  /** Takes the bytes of the header from `bytes` at `offset`; returns the offset after them. */
  take(bytes: Uint8Array, offset: number): number {
    let at = offset;
    while (at < bytes.length && !this.isWhole) {
      this.#bytes[this.#have] = bytes[at] ?? 0;
      this.#have += 1;
      at += 1;
    }
    return at;
  }

  /** Starts the next frame. */
  clear(): void {
    this.#have = 0;
  }

  get isWhole(): boolean {
    return this.#have >= 2 && this.#have === 2 + this.#lengthBytes + (this.isMasked ? 4 : 0);
  }

  get isFinal(): boolean {
    return (this.#byte(0) & 0x80) !== 0;
  }

  get hasReservedBits(): boolean {
    return (this.#byte(0) & 0x70) !== 0;
  }

  get opcode(): number {
    return this.#byte(0) & 0x0f;
  }

  get isMasked(): boolean {
    return (this.#byte(1) & 0x80) !== 0;
  }

  /** The four bytes of the mask; valid until `clear`. */
  get mask(): Uint8Array {
    return this.#bytes.subarray(2 + this.#lengthBytes, 6 + this.#lengthBytes);
  }

  /** How many bytes of payload follow. */
  get payloadBytes(): number {
    const short = this.#byte(1) & 0x7f;
    if (short < 126) return short;
    if (short === 126) return this.#view.getUint16(2);
    return this.#view.getUint32(2) * 0x1_0000_0000 + this.#view.getUint32(6);
  }

  #byte(index: 0 | 1): number {
    return this.#bytes[index] ?? 0;
  }

  get #lengthBytes(): number {
    const short = this.#byte(1) & 0x7f;
    if (short < 126) return 0;
    return short === 126 ? 2 : 8;
  }
}

/** A final frame, or its header and the beginning of its payload, which is `first` and `second`. The payload is not masked here. */
export function encodeWebSocketFrame(
  opcode: number,
  payloadBytes: number,
  mask: Uint8Array | undefined,
  first: Uint8Array,
  second?: Uint8Array,
): Uint8Array {
  const headBytes = 2 + lengthSize(payloadBytes) + (mask === undefined ? 0 : 4);
  const bytes = new Uint8Array(headBytes + first.length + (second?.length ?? 0));
  bytes[0] = 0x80 | opcode;
  writeLength(bytes, payloadBytes);
  if (mask !== undefined) {
    bytes[1] = 0x80 | (bytes[1] ?? 0);
    bytes.set(mask, headBytes - 4);
  }
  bytes.set(first, headBytes);
  if (second !== undefined) bytes.set(second, headBytes + first.length);
  return bytes;
}

function lengthSize(payloadBytes: number): number {
  if (payloadBytes < 126) return 0;
  return payloadBytes <= 0xffff ? 2 : 8;
}

function writeLength(bytes: Uint8Array, payloadBytes: number): void {
  if (payloadBytes < 126) {
    bytes[1] = payloadBytes;
    return;
  }
  const view = new DataView(bytes.buffer);
  const isShort = payloadBytes <= 0xffff;
  bytes[1] = isShort ? 126 : 127;
  if (isShort) view.setUint16(2, payloadBytes);
  else view.setUint32(6, payloadBytes);
}
