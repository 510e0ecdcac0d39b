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
 * Bytes of a stream from one position to another, with a cursor between them. It owns what is pushed (see buffer-tracking). Taken by `next` the bytes
 * stay, for another reading after `rewind`, until `dropTo`; taken by `shift` they belong to the caller.
 */
export class ByteQueue {
  #pieces: Piece[] = [];
  /** The piece with the cursor, or the one before it when that is at its end. */
  #at = 0;
  /** The last piece while it is a block with room. */
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

  /** The bytes at the cursor, at most so many, and moves it behind them; undefined at the end. They are valid until they are dropped. */
  next(maxBytes: number): Uint8Array | undefined {
    if (maxBytes <= 0 || this.leftBytes === 0) return undefined;
    let piece = this.#pieces[this.#at];
    if (piece !== undefined && this.cursorAt === piece.startsAt + piece.bytes.length)
      piece = this.#pieces[(this.#at += 1)];
    if (piece === undefined) return undefined;
    const from = this.cursorAt - piece.startsAt;
    const bytes = piece.bytes.subarray(from, from + maxBytes);
    this.cursorAt += bytes.length;
    return bytes;
  }

  /** Takes the first piece, which belongs to the caller; undefined when there is none. Not to be mixed with `next`. */
  shift(): Uint8Array | undefined {
    const piece = this.#pieces.shift();
    if (piece === undefined) return undefined;
    if (this.#block?.piece === piece) this.#block = undefined;
    this.startsAt = piece.startsAt + piece.bytes.length;
    this.cursorAt = this.startsAt;
    return piece.bytes;
  }

  /** Moves the cursor back to a position that is kept. */
  rewind(position: number): void {
    this.cursorAt = position;
    const index = this.#pieces.findLastIndex(({ startsAt }) => startsAt <= position);
    this.#at = Math.max(0, index);
  }

  /** Forgets what is before a position, and releases pieces that are wholly before it. */
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

  /** Releases everything. */
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
    this.#at = Math.max(0, this.#at - count);
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
