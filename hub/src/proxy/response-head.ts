import { ProxyFailure } from './ProxyFailure.ts';

/** One header of a response. */
export interface ResponseHeader {
  /** As the device wrote it. */
  readonly name: string;
  /** The name in lower case. */
  readonly key: string;
  readonly value: string;
}

/** The head of a device's response, checked byte for byte against HTTP/1.0 or HTTP/1.1. */
export interface ResponseHead {
  readonly status: number;
  readonly isHttp10: boolean;
  /** In the device's order. */
  readonly headers: readonly ResponseHeader[];
}

const maxHeadBytes = 16_384;
const maxHeaders = 100;
const emptyLine = Buffer.from('\r\n\r\n');
const carriageReturn = 13;
const lineFeed = 10;
const protocol = 'HTTP/1.';
const statusLine = /^HTTP\/1\.([01]) ([1-5]\d\d)(?: [\t\x20-\x7e\x80-\xff]*)?$/;
const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const invalidInLine = /[^\t\x20-\x7e\x80-\xff]/;

/**
 * Parses the head of a response by the strict grammar of RFC 9112 and refuses anything ambiguous: bare line ends, folded lines, a space
 * before a colon, control characters, more than 16 KiB or more than 100 headers.
 */
export class ResponseHeadParser {
  /** The bytes of an incomplete head. */
  #partial: Buffer | undefined;
  /** Set once the head is complete. */
  head: ResponseHead | undefined;

  /** Parses bytes and returns the offset in them at which the head ended, or -1 when it is incomplete. Throws a ProxyFailure. */
  parse(bytes: Buffer): number {
    const partialBytes = this.#partial?.length ?? 0;
    const all = this.#partial === undefined ? bytes : Buffer.concat([this.#partial, bytes]);
    const end = all.indexOf(emptyLine, Math.max(0, partialBytes - emptyLine.length));
    const sizeBytes = end < 0 ? all.length : end + emptyLine.length;
    if (sizeBytes > maxHeadBytes) throw new ProxyFailure('garbled');
    if (end < 0) {
      rejectNonHttp(all, partialBytes);
      this.#partial = all;
      return -1;
    }
    this.head = parseHead(all.toString('latin1', 0, end));
    return sizeBytes - partialBytes;
  }
}

/** Rejects another protocol, or bare line feeds, without waiting for the end of the head. */
function rejectNonHttp(bytes: Buffer, checkedBytes: number): void {
  const start = bytes.toString('latin1', 0, protocol.length);
  if (!protocol.startsWith(start)) throw new ProxyFailure('garbled');
  for (let at = bytes.indexOf(lineFeed, checkedBytes); at >= 0; at = bytes.indexOf(lineFeed, at + 1))
    if (bytes[at - 1] !== carriageReturn) throw new ProxyFailure('garbled');
}

function parseHead(text: string): ResponseHead {
  const [first = '', ...lines] = text.split('\r\n');
  const [, minor, code] = statusLine.exec(first) ?? [];
  if (code === undefined || lines.length > maxHeaders) throw new ProxyFailure('garbled');
  return { status: Number(code), isHttp10: minor === '0', headers: lines.map(parseHeader) };
}

/** Parses one header or trailer. Throws a ProxyFailure. */
export function parseHeader(line: string): ResponseHeader {
  const colon = line.indexOf(':');
  const name = line.slice(0, colon);
  if (colon < 1 || !headerName.test(name) || invalidInLine.test(line)) throw new ProxyFailure('garbled');
  let from = colon + 1;
  let to = line.length;
  while (from < to && isBlank(line, from)) from += 1;
  while (to > from && isBlank(line, to - 1)) to -= 1;
  return { name, key: name.toLowerCase(), value: line.slice(from, to) };
}

function isBlank(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code === 32 || code === 9;
}

/** All values of a header in their order; `key` is its name in lower case. */
export function valuesOf({ headers }: ResponseHead, key: string): string[] {
  const values: string[] = [];
  for (const header of headers) if (header.key === key) values.push(header.value);
  return values;
}
