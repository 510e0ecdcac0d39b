import type { Executor } from '../executor.ts';
import { chunkBytes, type ChunkMap, type Span } from './chunks.ts';
import { withRetries, type TransferRetries } from '../retry.ts';
import { answerError, type TransferAnswer, type TransferHttp } from './transfer-http.ts';
import { TransferError } from '../TransferError.ts';
import type { Id } from '@corral/contract';

/** Where an asset is fetched from. */
export interface DownloadSourceOptions extends TransferRetries {
  readonly executor: Executor;
  readonly http: TransferHttp;
  readonly assetId: Id<'asset'>;
  readonly filename?: string | undefined;
}

/** After so many digest mismatches of the same bytes, the stored copy itself counts as damaged. */
const maxMismatches = 3;
// An expired or revoked URL, or one of a store that has forgotten it.
const endedStatuses: ReadonlySet<number> = new Set([401, 403, 404, 410]);

/** Reads spans of an asset over issued URLs, and asks for a new URL when one has ended. */
export class DownloadSource {
  readonly #options: DownloadSourceOptions;
  #url: string | undefined;
  #receivedBytes = 0;

  constructor(options: DownloadSourceOptions) {
    this.#options = options;
  }

  /** How many bytes of bodies have arrived, damaged ones too. */
  get receivedBytes(): number {
    return this.#receivedBytes;
  }

  /** Reads a span to its end over any number of connections; `receive` gets each byte once, and may set `position` back. */
  async read(span: Span, receive: (bytes: Buffer, at: Cursor) => Promise<void>): Promise<void> {
    const { signal, onRetry, random } = this.#options;
    const cursor: Cursor = { position: span.start, mismatches: 0 };
    let furthest = cursor.position;
    const progress = (): number => (furthest = Math.max(furthest, cursor.position));
    await withRetries(() => this.#readOnce(span, cursor, receive), {
      signal,
      onRetry,
      random,
      progress,
    });
  }

  async #readOnce(
    span: Span,
    cursor: Cursor,
    receive: (bytes: Buffer, at: Cursor) => Promise<void>,
  ): Promise<void> {
    const url = await this.#issue();
    const { http, signal } = this.#options;
    const range = `bytes=${cursor.position}-${span.end - 1}`;
    // Tells the hub that it need not verify what it sends.
    const headers = { range, 'corral-verifies': 'sha-256' };
    const answer = await http.send(url, { method: 'GET', headers, signal });
    await this.#check(answer, url);
    let skip = cursor.position - startOf(answer);
    if (skip < 0)
      throw new TransferError('Damaged', 'The server answered with another range than was asked for.');
    for await (const chunk of bodyOf(answer, url)) {
      this.#receivedBytes += chunk.length;
      const rest = chunk.subarray(Math.min(skip, chunk.length));
      skip -= chunk.length - rest.length;
      const wanted = rest.subarray(0, span.end - cursor.position);
      if (wanted.length > 0) await this.#deliver(wanted, cursor, receive);
      if (cursor.position >= span.end) return;
    }
    throw new TransferError('Interrupted', 'The server ended the answer too early.');
  }

  async #deliver(
    bytes: Buffer,
    cursor: Cursor,
    receive: (bytes: Buffer, at: Cursor) => Promise<void>,
  ): Promise<void> {
    try {
      await receive(bytes, cursor);
    } catch (error) {
      if (!(error instanceof DigestMismatch)) throw error;
      // Another URL may lead to another copy.
      this.#url = undefined;
      cursor.mismatches += 1;
      if (cursor.mismatches < maxMismatches) throw new TransferError('Interrupted', error.message);
      throw new TransferError('Damaged', error.message);
    }
  }

  async #issue(): Promise<string> {
    const { executor, assetId, filename } = this.#options;
    if (this.#url === undefined) {
      const input = { assetId, ...(filename === undefined ? {} : { filename }) };
      this.#url = (await executor.invoke('repositories_IssueAssetDownloadUrl', input)).url;
    }
    return this.#url;
  }

  async #check(answer: TransferAnswer, url: string): Promise<void> {
    const { statusCode: status = 0 } = answer;
    if (status === 200 || status === 206) return;
    const error = await answerError(answer, url);
    if (!endedStatuses.has(status)) throw error;
    this.#url = undefined;
    throw new TransferError('Interrupted', error.message, { status });
  }
}

/** The position of a read. */
export interface Cursor {
  /** The next byte that is needed. */
  position: number;
  /** How often bytes did not match their digest. */
  mismatches: number;
}

/** Bytes that differ from their digest. */
class DigestMismatch extends Error {}

/** Collects bytes to chunks, and passes those to `keep` that match their digest. */
export function verifiedChunks(
  map: ChunkMap,
  keep: (index: number, bytes: Buffer) => Promise<void>,
): (bytes: Buffer, at: Cursor) => Promise<void> {
  let parts: Buffer[] = [];
  return async (bytes, cursor) => {
    for (let rest = bytes; rest.length > 0;) {
      const index = Math.floor(cursor.position / chunkBytes);
      const { start, end } = map.span(index);
      const part = rest.subarray(0, end - cursor.position);
      rest = rest.subarray(part.length);
      parts.push(part);
      cursor.position += part.length;
      if (cursor.position < end) continue;
      const chunk = Buffer.concat(parts);
      parts = [];
      if (!map.matches(index, chunk)) {
        cursor.position = start;
        throw new DigestMismatch(`The bytes from ${start} to ${end} are not those of the asset.`);
      }
      cursor.mismatches = 0;
      await keep(index, chunk);
    }
  };
}

async function* bodyOf(answer: TransferAnswer, url: string): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of answer) yield chunk as Buffer;
  } catch (cause) {
    if (cause instanceof TransferError) throw cause;
    throw new TransferError('Interrupted', `${new URL(url).origin} broke the connection.`, { cause });
  }
}

function startOf({ statusCode, headers }: TransferAnswer): number {
  if (statusCode === 200) return 0;
  const found = /^bytes (\d+)-/.exec(headers['content-range'] ?? '');
  if (found === null) throw new TransferError('Interrupted', 'The server answered without a Content-Range.');
  return Number(found[1]);
}
