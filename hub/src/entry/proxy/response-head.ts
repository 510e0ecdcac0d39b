import { ProxyFailure } from './ProxyFailure.ts';

/** One header of a response. */
export interface ResponseHeader {
  /** As the device wrote it. */
  readonly name: string;
  /** The name in lower case. */
  readonly key: string;
  readonly value: string;
}

/** The head of a device's response. */
export interface ResponseHead {
  readonly status: number;
  /** In the device's order. */
  readonly headers: readonly ResponseHeader[];
}

const maxHeaders = 100;

/**
 * The head from what undici parsed: the status, and names and values one after the other. Throws a ProxyFailure for what undici's parser
 * accepts but a proxy must not: more than 100 headers, two lengths, a transfer coding other than chunked, a status above 599.
 */
export function responseHeadOf(status: number, rawHeaders: unknown): ResponseHead {
  const headers: ResponseHeader[] = [];
  const fields = rawHeaders as readonly Buffer[];
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const name = fields[index]?.toString('latin1') ?? '';
    // The parser removes the blanks before a value, but not those after it.
    headers.push({
      name,
      key: name.toLowerCase(),
      value: trimEnd(fields[index + 1]?.toString('latin1') ?? ''),
    });
  }
  if (headers.length > maxHeaders || status < 100 || status > 599) throw new ProxyFailure('garbled');
  const head = { status, headers };
  mustHaveKnownFraming(head);
  return head;
}

/** Whether a head announces a body in chunks. */
export const isChunked = (head: ResponseHead): boolean => valuesOf(head, 'transfer-encoding').length > 0;

/** All values of a header in their order; `key` is its name in lower case. */
export function valuesOf({ headers }: ResponseHead, key: string): string[] {
  const values: string[] = [];
  for (const header of headers) if (header.key === key) values.push(header.value);
  return values;
}

/** undici decodes chunks only, but accepts other codings, which it then forwards encoded or reads until the connection closes. */
function mustHaveKnownFraming(head: ResponseHead): void {
  const lengths = valuesOf(head, 'content-length');
  const codings = valuesOf(head, 'transfer-encoding');
  const isKnown =
    lengths.length + codings.length <= 1 &&
    lengths.every((length) => /^\d{1,15}$/.test(length)) &&
    codings.every((coding) => coding.toLowerCase() === 'chunked');
  if (!isKnown) throw new ProxyFailure('garbled');
}

function trimEnd(value: string): string {
  let to = value.length;
  while (to > 0 && (value.charCodeAt(to - 1) === 32 || value.charCodeAt(to - 1) === 9)) to -= 1;
  return value.slice(0, to);
}
