import { answerError, type TransferHttp } from './transfer-http.ts';
import { TransferError } from '../TransferError.ts';

// The resumable upload protocol tus, 1.0: https://tus.io/protocols/resumable-upload
const version = { 'tus-resumable': '1.0.0' };
const unknownStatuses: ReadonlySet<number> = new Set([404, 405, 501]);

/** An upload that can be continued. */
export interface ResumableTarget {
  readonly http: TransferHttp;
  readonly url: string;
  readonly sizeBytes: number;
  readonly signal?: AbortSignal | undefined;
}

/** How many bytes the hub has; undefined if it takes no resumable uploads there. Rejected with a TransferError. */
export async function resumableOffset({
  http,
  url,
  sizeBytes,
  signal,
}: ResumableTarget): Promise<number | undefined> {
  const answer = await http.send(url, { method: 'HEAD', headers: version, signal });
  if (unknownStatuses.has(answer.statusCode ?? 0)) {
    answer.resume();
    return undefined;
  }
  if ((answer.statusCode ?? 0) >= 300) throw await answerError(answer, url);
  answer.resume();
  const offset = Number(answer.headers['upload-offset'] ?? Number.NaN);
  if (Number.isInteger(offset) && offset >= 0 && offset <= sizeBytes) return offset;
  throw new TransferError('Refused', 'The hub does not say how much of the upload it has.');
}

/** Sends the bytes from the offset to the end. Rejected with a TransferError. */
export async function sendRest(
  { http, url, sizeBytes, signal }: ResumableTarget,
  offset: number,
  body: AsyncIterable<Uint8Array>,
): Promise<void> {
  const answer = await http.send(url, {
    method: 'PATCH',
    headers: {
      ...version,
      'upload-offset': String(offset),
      'content-type': 'application/offset+octet-stream',
      'content-length': String(sizeBytes - offset),
    },
    body,
    signal,
  });
  if ((answer.statusCode ?? 0) >= 300) throw await answerError(answer, url);
  answer.resume();
}
