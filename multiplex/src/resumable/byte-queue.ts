import { release } from '../buffer-tracking.ts';

interface Piece {
  /** The position of its first byte in the stream. */
  readonly startsAt: number;
  bytes: Uint8Array;
}

/** Shorter pieces are copied into blocks, so that a stream of single bytes costs little more than its bytes. */
const smallBytes = 1_024;
const blockBytes = 8_192;

/**
 * A range of the bytes of a stream, with a cursor in it. It owns pushed bytes (see buffer-tracking). Bytes read by `next` stay until `dropTo`, so that
 * they can be read again after `rewind`; bytes taken by `shift` belong to the caller.
 */
export class ByteQueue {
  #pieces: Piece[] = [];
  /** The index of the piece with the cursor, or of the one before when that ends at the cursor. */
  #cursorIndex = 0;
  /** The last piece while it is a block that takes more small pieces. */
  #block: { readonly piece: Piece; readonly buffer: Uint8Array; usedBytes: number } | undefined;
  /** The position of the first byte that is kept. */
  startsAt = 0;
  /** The position behind the last byte. */
  endsAt = 0;
  /** The position of the next byte to take. */
  cursorAt = 0;

  /** How many bytes are kept. */
  get sizeBytes(): number {
    return this.endsAt - this.startsAt;
  }

  /** How many bytes are behind the cursor. */
  get leftBytes(): number {
    return this.endsAt - this.cursorAt;
  }

  /** Appends bytes. */
  push(bytes: Uint8Array): void {
    if (bytes.length < smallBytes) this.#copy(bytes);
    else this.#append(bytes);
  }

  /** Reads at most `maxBytes` at the cursor and advances it; undefined at the end. The bytes are valid until they are dropped. */
  next(maxBytes: number): Uint8Array | undefined {
    if (maxBytes <= 0 || this.leftBytes === 0) return undefined;
    let piece = this.#pieces[this.#cursorIndex];
    if (piece !== undefined && this.cursorAt === piece.startsAt + piece.bytes.length)
      piece = this.#pieces[(this.#cursorIndex += 1)];
    if (piece === undefined) return undefined;
    const from = this.cursorAt - piece.startsAt;
    const bytes = piece.bytes.subarray(from, from + maxBytes);
    this.cursorAt += bytes.length;
    return bytes;
  }

  /** Removes the first piece, which then belongs to the caller; undefined when there is none. Not to be combined with `next`. */
  shift(): Uint8Array | undefined {
    const piece = this.#pieces.shift();
    if (piece === undefined) return undefined;
    if (this.#block?.piece === piece) this.#block = undefined;
    this.startsAt = piece.startsAt + piece.bytes.length;
    this.cursorAt = this.startsAt;
    return piece.bytes;
  }

  /** Moves the cursor to a position in the range. */
  rewind(position: number): void {
    this.cursorAt = position;
    const index = this.#pieces.findLastIndex(({ startsAt }) => startsAt <= position);
    this.#cursorIndex = Math.max(0, index);
  }

  /** Drops the bytes before a position, and releases the pieces that end there or before. */
  dropTo(position: number): void {
    let count = 0;
    for (const { startsAt, bytes } of this.#pieces) {
      if (startsAt + bytes.length > position) break;
      count += 1;
    }
    this.startsAt = position;
    if (count > 0) this.#remove(count);
    if (this.cursorAt < position) this.rewind(position);
  }

  /** Drops and releases all bytes. */
  clear(): void {
    this.#remove(this.#pieces.length);
    this.startsAt = this.endsAt;
    this.cursorAt = this.endsAt;
  }

  #remove(count: number): void {
    for (const piece of this.#pieces.splice(0, count)) {
      if (this.#block?.piece === piece) this.#block = undefined;
      release(piece.bytes);
    }
    this.#cursorIndex = Math.max(0, this.#cursorIndex - count);
  }

  #append(bytes: Uint8Array): Piece {
    const piece = { startsAt: this.endsAt, bytes };
    this.#pieces.push(piece);
    this.#block = undefined;
    this.endsAt += bytes.length;
    return piece;
  }

  #copy(bytes: Uint8Array): void {
    const sizeBytes = bytes.length;
    if (this.#block === undefined || this.#block.usedBytes + sizeBytes > blockBytes) this.#openBlock();
    const block = this.#block;
    if (block === undefined) return;
    block.buffer.set(bytes, block.usedBytes);
    block.usedBytes += sizeBytes;
    block.piece.bytes = block.buffer.subarray(0, block.usedBytes);
    this.endsAt += sizeBytes;
    release(bytes);
  }

  #openBlock(): void {
    const buffer = new Uint8Array(blockBytes);
    this.#block = { piece: this.#append(buffer.subarray(0, 0)), buffer, usedBytes: 0 };
  }
}
