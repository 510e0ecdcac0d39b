import { LineReader } from './LineReader.ts';
import { ProxyFailure } from './ProxyFailure.ts';
import { parseHeader, valuesOf, type ResponseHead } from './response-head.ts';

/** Parses the body of one response. */
export interface ResponseBody {
  /** Whether the body ends where the device's stream ends. */
  readonly endsWithStream: boolean;
  /** Whether the body is complete. */
  readonly isDone: boolean;
  /** Parses bytes from an offset, passes the body's data on, and returns the offset at which the body or the bytes ended. Throws a ProxyFailure. */
  parse(bytes: Buffer, from: number, onData: (data: Buffer) => void): number;
}

/** The parser for the body of a response with this head. Throws a ProxyFailure when the framing is ambiguous or unknown. */
export function responseBodyOf(head: ResponseHead, method: string): ResponseBody {
  const lengths = valuesOf(head, 'content-length');
  const codings = valuesOf(head, 'transfer-encoding');
  if (lengths.length + codings.length > 1) throw new ProxyFailure('garbled');
  const [length] = lengths;
  const [coding] = codings;
  if (length !== undefined && !/^\d{1,15}$/.test(length)) throw new ProxyFailure('garbled');
  if (coding !== undefined && coding.toLowerCase() !== 'chunked') throw new ProxyFailure('garbled');
  if (method === 'HEAD' || head.status === 204 || head.status === 304) return new FixedLengthBody(0);
  if (coding !== undefined) return new ChunkedBody();
  return length === undefined ? new UntilCloseBody() : new FixedLengthBody(Number(length));
}

class FixedLengthBody implements ResponseBody {
  readonly endsWithStream = false;
  #remainingBytes: number;

  constructor(sizeBytes: number) {
    this.#remainingBytes = sizeBytes;
  }

  get isDone(): boolean {
    return this.#remainingBytes === 0;
  }

  parse(bytes: Buffer, from: number, onData: (data: Buffer) => void): number {
    const end = Math.min(bytes.length, from + this.#remainingBytes);
    this.#remainingBytes -= end - from;
    if (end > from) onData(bytes.subarray(from, end));
    return end;
  }
}

class UntilCloseBody implements ResponseBody {
  readonly endsWithStream = true;
  readonly isDone = false;

  parse(bytes: Buffer, from: number, onData: (data: Buffer) => void): number {
    if (bytes.length > from) onData(bytes.subarray(from));
    return bytes.length;
  }
}

const sizeLine = /^([0-9A-Fa-f]{1,12})(;[\t\x20-\x7e\x80-\xff]*)?$/;
/** The limit of all chunk extensions together, and of the trailers. Neither is forwarded. */
const maxExtensionBytes = 16_384;
const maxSizeLineBytes = maxExtensionBytes + 16;

/** A body in the chunked transfer coding. */
class ChunkedBody implements ResponseBody {
  readonly endsWithStream = false;
  #state: 'size' | 'data' | 'data-end' | 'trailers' | 'done' = 'size';
  #lines = new LineReader(maxSizeLineBytes);
  #remainingBytes = 0;
  #extensionBytes = 0;

  get isDone(): boolean {
    return this.#state === 'done';
  }

  parse(bytes: Buffer, from: number, onData: (data: Buffer) => void): number {
    let at = from;
    while (at < bytes.length && !this.isDone)
      at = this.#state === 'data' ? this.#parseData(bytes, at, onData) : this.#parseLine(bytes, at);
    return at;
  }

  #parseData(bytes: Buffer, from: number, onData: (data: Buffer) => void): number {
    const end = Math.min(bytes.length, from + this.#remainingBytes);
    this.#remainingBytes -= end - from;
    if (this.#remainingBytes === 0) this.#expect('data-end');
    onData(bytes.subarray(from, end));
    return end;
  }

  #parseLine(bytes: Buffer, from: number): number {
    const end = this.#lines.read(bytes, from);
    if (end < 0) return bytes.length;
    const { line } = this.#lines;
    if (this.#state === 'size') this.#parseSize(line);
    else if (this.#state === 'trailers') this.#parseTrailer(line);
    else if (line === '') this.#expect('size');
    else throw new ProxyFailure('garbled');
    return end;
  }

  #parseSize(line: string): void {
    const [, size, extension = ''] = sizeLine.exec(line) ?? [];
    this.#extensionBytes += extension.length;
    if (size === undefined || this.#extensionBytes > maxExtensionBytes) throw new ProxyFailure('garbled');
    this.#remainingBytes = Number.parseInt(size, 16);
    this.#expect(this.#remainingBytes === 0 ? 'trailers' : 'data');
  }

  #parseTrailer(line: string): void {
    if (line === '') this.#state = 'done';
    else parseHeader(line);
  }

  #expect(state: 'size' | 'data' | 'data-end' | 'trailers'): void {
    this.#state = state;
    // Only a line end may follow the data of a chunk.
    if (state !== 'data') this.#lines = new LineReader(state === 'data-end' ? 2 : maxSizeLineBytes);
  }
}
