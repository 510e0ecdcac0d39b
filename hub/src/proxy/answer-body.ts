import { readHeader, valuesOf, type AnswerHead } from './answer-head.ts';
import { LineReader } from './line-reader.ts';
import { ProxyFailure } from './ProxyFailure.ts';

/** Cuts the body of one answer out of what the device sends. */
export interface AnswerBody {
  /** Whether the end of the device's stream is the end of the body. */
  readonly endsWithStream: boolean;
  /** Whether all of it has come. */
  readonly isDone: boolean;
  /** Takes a piece in from an offset, passes on what belongs to the body, and tells where in the piece that ended. Throws a ProxyFailure. */
  take(piece: Buffer, from: number, pass: (data: Buffer) => void): number;
}

/** How the body of an answer is delimited. Throws a ProxyFailure where the head says so in two ways, or in none that is known. */
export function bodyOf(head: AnswerHead, method: string): AnswerBody {
  const lengths = valuesOf(head, 'content-length');
  const codings = valuesOf(head, 'transfer-encoding');
  if (lengths.length + codings.length > 1) throw new ProxyFailure('garbled');
  const [length] = lengths;
  const [coding] = codings;
  if (length !== undefined && !/^\d{1,15}$/.test(length)) throw new ProxyFailure('garbled');
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') throw new ProxyFailure('garbled');
  if (method === 'HEAD' || head.status === 204 || head.status === 304) return new MeasuredBody(0);
  if (coding !== undefined) return new ChunkedBody();
  return length === undefined ? new OpenBody() : new MeasuredBody(Number(length));
}

/** A body whose length is known. */
class MeasuredBody implements AnswerBody {
  readonly endsWithStream = false;
  #leftBytes: number;

  constructor(sizeBytes: number) {
    this.#leftBytes = sizeBytes;
  }

  get isDone(): boolean {
    return this.#leftBytes === 0;
  }

  take(piece: Buffer, from: number, pass: (data: Buffer) => void): number {
    const end = Math.min(piece.length, from + this.#leftBytes);
    this.#leftBytes -= end - from;
    if (end > from) pass(piece.subarray(from, end));
    return end;
  }
}

/** A body that goes on until the device ends its stream. */
class OpenBody implements AnswerBody {
  readonly endsWithStream = true;
  readonly isDone = false;

  take(piece: Buffer, from: number, pass: (data: Buffer) => void): number {
    if (piece.length > from) pass(piece.subarray(from));
    return piece.length;
  }
}

const sizeLine = /^([0-9A-Fa-f]{1,12})(;[\t\x20-\x7e\x80-\xff]*)?$/;
/** What a device may say beside the sizes and the data: extensions of chunks, and trailers; none is passed on. */
const maxAsideBytes = 16_384;
/** The longest line with a size: that and what is said aside. */
const maxSizeLineBytes = maxAsideBytes + 16;

/** A body in chunks, each with its size in front. */
class ChunkedBody implements AnswerBody {
  readonly endsWithStream = false;
  #part: 'size' | 'data' | 'end of data' | 'trailers' | 'nothing' = 'size';
  #lines = new LineReader(maxSizeLineBytes);
  #leftBytes = 0;
  #asideBytes = 0;

  get isDone(): boolean {
    return this.#part === 'nothing';
  }

  take(piece: Buffer, from: number, pass: (data: Buffer) => void): number {
    let at = from;
    while (at < piece.length && !this.isDone)
      at = this.#part === 'data' ? this.#data(piece, at, pass) : this.#line(piece, at);
    return at;
  }

  #data(piece: Buffer, from: number, pass: (data: Buffer) => void): number {
    const end = Math.min(piece.length, from + this.#leftBytes);
    this.#leftBytes -= end - from;
    if (this.#leftBytes === 0) this.#expect('end of data');
    pass(piece.subarray(from, end));
    return end;
  }

  #line(piece: Buffer, from: number): number {
    const end = this.#lines.read(piece, from);
    if (end < 0) return piece.length;
    const { line } = this.#lines;
    if (this.#part === 'size') this.#size(line);
    else if (this.#part === 'trailers') this.#trailer(line);
    else if (line === '') this.#expect('size');
    else throw new ProxyFailure('garbled');
    return end;
  }

  #size(line: string): void {
    const [, size, extension = ''] = sizeLine.exec(line) ?? [];
    this.#asideBytes += extension.length;
    if (size === undefined || this.#asideBytes > maxAsideBytes) throw new ProxyFailure('garbled');
    this.#leftBytes = Number.parseInt(size, 16);
    this.#expect(this.#leftBytes === 0 ? 'trailers' : 'data');
  }

  #trailer(line: string): void {
    if (line === '') this.#part = 'nothing';
    else readHeader(line);
  }

  #expect(part: 'size' | 'data' | 'end of data' | 'trailers'): void {
    this.#part = part;
    // Behind data nothing but the end of a line may come.
    if (part !== 'data') this.#lines = new LineReader(part === 'end of data' ? 2 : maxSizeLineBytes);
  }
}
