import { ProxyFailure } from './ProxyFailure.ts';

const maxHeadBytes = 16_384;
const maxFramingBytes = 16_384;
/** A chunk's size of at most 12 digits, and two line ends. */
const framingBytesPerPart = 16;
const maxInformationalResponses = 5;
const versions = ['HTTP/1.1 ', 'HTTP/1.0 '];
const statusEnd = 12;
const emptyLine = [13, 10, 13, 10];

/**
 * The limits that undici lacks, for one response: version, size of heads, number of informational responses, bytes that are neither head
 * nor body, and line ends of heads (llhttp takes CR CR CR LF for the end of one).
 */
export class ResponseLimits {
  /** The first bytes of the current head: version and status. */
  #start = '';
  #headBytes = 0;
  #previousByte = 0;
  /** How many bytes of the empty line that ends a head have been seen. */
  #matched = 0;
  #informationalCount = 0;
  #isHeadDone = false;
  /** The bytes after the head that were not reported as body. */
  #framingBytes = 0;

  /** Checks bytes that undici reads next. Throws a ProxyFailure. */
  receive(bytes: Buffer): void {
    this.mustHaveBoundedFraming();
    // Short size lines do not earn longer extensions later.
    this.#framingBytes = Math.max(0, this.#framingBytes);
    let at = 0;
    while (at < bytes.length && !this.#isHeadDone) {
      this.#receiveHeadByte(bytes, at);
      at += 1;
    }
    this.#framingBytes += bytes.length - at;
  }

  /** Counts a part of the body that undici found in the received bytes. */
  countBody(sizeBytes: number): void {
    this.#framingBytes -= sizeBytes + framingBytesPerPart;
  }

  /** Throws a ProxyFailure when chunk extensions and trailers have more than 16 KiB. All received bytes must have been parsed. */
  mustHaveBoundedFraming(): void {
    if (this.#framingBytes > maxFramingBytes) throw new ProxyFailure('garbled');
  }

  #receiveHeadByte(bytes: Buffer, at: number): void {
    const byte = bytes[at] as number;
    this.#headBytes += 1;
    if (this.#headBytes > maxHeadBytes || isControl(byte)) throw new ProxyFailure('garbled');
    if ((this.#previousByte === 13) !== (byte === 10)) throw new ProxyFailure('garbled');
    this.#previousByte = byte;
    if (this.#start.length < statusEnd) this.#receiveStart(bytes, at);
    this.#matched = byte === emptyLine[this.#matched] ? this.#matched + 1 : byte === 13 ? 1 : 0;
    if (this.#matched === emptyLine.length) this.#endHead();
  }

  #receiveStart(bytes: Buffer, at: number): void {
    this.#start += String.fromCharCode(bytes[at] as number);
    if (!versions.some((version) => version.startsWith(this.#start.slice(0, version.length))))
      throw new ProxyFailure('garbled');
    // Clients discard an unsolicited 100 (RFC 9110, 15.2), but undici breaks the connection; to it, this one is a 103.
    if (this.#start.endsWith(' 100')) bytes[at] = 51;
  }

  #endHead(): void {
    // A 101 is followed by another protocol.
    this.#isHeadDone = !/ 1\d\d$/.test(this.#start) || this.#start.endsWith(' 101');
    if (!this.#isHeadDone) this.#informationalCount += 1;
    if (this.#informationalCount > maxInformationalResponses) throw new ProxyFailure('garbled');
    this.#start = '';
    this.#headBytes = 0;
    this.#previousByte = 0;
    this.#matched = 0;
  }
}

function isControl(byte: number): boolean {
  return (byte < 32 && byte !== 9 && byte !== 10 && byte !== 13) || byte === 127;
}
