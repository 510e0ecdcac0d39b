import { ProxyFailure } from './ProxyFailure.ts';

/** One header of an answer. */
export interface AnswerHeader {
  /** As the device wrote it. */
  readonly name: string;
  /** The name in lower case. */
  readonly key: string;
  readonly value: string;
}

/** The head of a device's answer: proper HTTP/1.0 or HTTP/1.1, each byte of it. */
export interface AnswerHead {
  readonly status: number;
  readonly isHttp10: boolean;
  /** In the device's order. */
  readonly headers: readonly AnswerHeader[];
}

const maxHeadBytes = 16_384;
const maxHeaders = 100;
const emptyLine = Buffer.from('\r\n\r\n');
const carriageReturn = 13;
const lineFeed = 10;
const protocol = 'HTTP/1.';
const statusLine = /^HTTP\/1\.([01]) ([1-5]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?$/;
const nameForm = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const notInLines = /[^\t\x20-\x7e\x80-\xff]/;

/**
 * Reads the head of an answer as strictly as RFC 9112 is written: what could be read in two ways is no answer. No bare line ends, no
 * folded lines, no space in front of a colon, no control characters, at most 16 KiB and 100 headers.
 */
export class AnswerHeadReader {
  /** What has come of a head that is not whole yet. */
  #begun: Buffer | undefined;
  /** Set once the head is whole. */
  head: AnswerHead | undefined;

  /** Takes a piece in and tells where in it the head has ended; -1 when the head goes on. Throws a ProxyFailure. */
  take(piece: Buffer): number {
    const begunBytes = this.#begun?.length ?? 0;
    const bytes = this.#begun === undefined ? piece : Buffer.concat([this.#begun, piece]);
    const end = bytes.indexOf(emptyLine, Math.max(0, begunBytes - emptyLine.length));
    const sizeBytes = end < 0 ? bytes.length : end + emptyLine.length;
    if (sizeBytes > maxHeadBytes) throw new ProxyFailure('garbled');
    if (end < 0) {
      mustMakeSense(bytes, begunBytes);
      this.#begun = bytes;
      return -1;
    }
    this.head = readHead(bytes.toString('latin1', 0, end));
    return sizeBytes - begunBytes;
  }
}

/** What speaks another protocol is not waited for, nor what ends its lines otherwise. */
function mustMakeSense(bytes: Buffer, knownBytes: number): void {
  const begin = bytes.toString('latin1', 0, protocol.length);
  if (!protocol.startsWith(begin)) throw new ProxyFailure('garbled');
  for (let at = bytes.indexOf(lineFeed, knownBytes); at >= 0; at = bytes.indexOf(lineFeed, at + 1))
    if (bytes[at - 1] !== carriageReturn) throw new ProxyFailure('garbled');
}

function readHead(text: string): AnswerHead {
  const [first = '', ...lines] = text.split('\r\n');
  const [, minor, code] = statusLine.exec(first) ?? [];
  if (code === undefined || lines.length > maxHeaders) throw new ProxyFailure('garbled');
  return { status: Number(code), isHttp10: minor === '0', headers: lines.map(readHeader) };
}

/** One header or trailer. Throws a ProxyFailure. */
export function readHeader(line: string): AnswerHeader {
  const colon = line.indexOf(':');
  const name = line.slice(0, colon);
  if (colon < 1 || !nameForm.test(name) || notInLines.test(line)) throw new ProxyFailure('garbled');
  let from = colon + 1;
  let to = line.length;
  while (from < to && isBlank(line, from)) from += 1;
  while (to > from && isBlank(line, to - 1)) to -= 1;
  return { name, key: name.toLowerCase(), value: line.slice(from, to) };
}

function isBlank(text: string, at: number): boolean {
  const symbol = text.charCodeAt(at);
  return symbol === 32 || symbol === 9;
}

/** All values of a header, in their order; `key` is its name in lower case. */
export function valuesOf({ headers }: AnswerHead, key: string): string[] {
  const found: string[] = [];
  for (const header of headers) if (header.key === key) found.push(header.value);
  return found;
}
