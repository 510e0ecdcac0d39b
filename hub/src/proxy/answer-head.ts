import type { FlatHeaders } from './headers.ts';
import { LineReader } from './line-reader.ts';
import { ProxyFailure } from './ProxyFailure.ts';

/** The head of a device's answer: proper HTTP/1.0 or HTTP/1.1, each byte of it. */
export interface AnswerHead {
  readonly status: number;
  readonly isHttp10: boolean;
  /** As the device wrote them, in their order. */
  readonly headers: FlatHeaders;
}

const maxHeadBytes = 16_384;
const maxHeaders = 100;
const protocol = 'HTTP/1.';
const statusLine = /^HTTP\/1\.([01]) ([1-5]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?$/;
const nameForm = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const notInValues = /[^\t\x20-\x7e\x80-\xff]/;

/**
 * Reads the head of an answer as strictly as RFC 9112 is written: what could be read in two ways is no answer. No bare line ends, no
 * folded lines, no space in front of a colon, no control characters, at most 16 KiB and 100 headers.
 */
export class AnswerHeadReader {
  readonly #lines = new LineReader(maxHeadBytes);
  readonly #headers: FlatHeaders = [];
  #status: { readonly code: number; readonly isHttp10: boolean } | undefined;
  /** Set once the head is whole. */
  head: AnswerHead | undefined;

  /** Takes a piece in and tells where in it the head has ended; -1 when the head goes on. Throws a ProxyFailure. */
  take(piece: Buffer): number {
    let at = 0;
    while (this.head === undefined) {
      at = this.#lines.read(piece, at);
      if (at < 0) {
        if (this.#status === undefined) mustBegin(this.#lines.begun);
        return -1;
      }
      this.#line(this.#lines.line);
    }
    return at;
  }

  #line(line: string): void {
    if (this.#status === undefined) this.#status = readStatus(line);
    else if (line === '')
      this.head = { status: this.#status.code, isHttp10: this.#status.isHttp10, headers: this.#headers };
    else {
      if (this.#headers.length === 2 * maxHeaders) throw new ProxyFailure('garbled');
      this.#headers.push(...readHeader(line));
    }
  }
}

/** What speaks another protocol is not waited for. */
function mustBegin(text: string): void {
  const begin = text.slice(0, protocol.length);
  if (!protocol.startsWith(begin)) throw new ProxyFailure('garbled');
}

function readStatus(line: string): { code: number; isHttp10: boolean } {
  const [, minor, code] = statusLine.exec(line) ?? [];
  if (code === undefined) throw new ProxyFailure('garbled');
  return { code: Number(code), isHttp10: minor === '0' };
}

/** Name and value of a header or a trailer. Throws a ProxyFailure. */
export function readHeader(line: string): [string, string] {
  const colon = line.indexOf(':');
  const name = line.slice(0, colon);
  if (colon < 1 || !nameForm.test(name) || notInValues.test(line)) throw new ProxyFailure('garbled');
  let from = colon + 1;
  let to = line.length;
  while (from < to && isBlank(line, from)) from += 1;
  while (to > from && isBlank(line, to - 1)) to -= 1;
  return [name, line.slice(from, to)];
}

function isBlank(text: string, at: number): boolean {
  const symbol = text.charCodeAt(at);
  return symbol === 32 || symbol === 9;
}

/** All values of a header, in their order; `name` is in lower case. */
export function valuesOf({ headers }: AnswerHead, name: string): string[] {
  const found: string[] = [];
  for (let index = 0; index < headers.length; index += 2)
    if (headers[index]?.length === name.length && headers[index]?.toLowerCase() === name)
      found.push(headers[index + 1] ?? '');
  return found;
}
