import { TransferError } from '../../../../data/retries.ts';
import { decodeMessage, messageHeader } from '@corral/contract';
import { uploadsCopy } from './copy.ts';
import { UploadProblem } from './UploadProblem.ts';

/** A part of a file, and the URL that it is sent to. */
export interface FilePart {
  readonly url: string;
  readonly offset: number;
  readonly bytes: Blob;
  readonly signal: AbortSignal;
  /** Called with how many bytes of the part were sent. */
  readonly onProgress: (sentBytes: number) => void;
}

/** How the bytes of an upload reach the hub. */
export interface UploadTransport {
  /** How many bytes the hub has. Rejects with a TransferError for what is only interrupted, an UploadProblem or an ExpiredUrl. */
  offsetOf(url: string, signal: AbortSignal): Promise<number>;
  /** Sends a part and resolves with how many bytes the hub then has. Rejects like `offsetOf`. */
  send(part: FilePart): Promise<number>;
}

/** The URL of an upload has expired. */
export class ExpiredUrl extends Error {
  override readonly name = 'ExpiredUrl';
}

const tus = { 'Tus-Resumable': '1.0.0' };
const expiredStatuses: ReadonlySet<number> = new Set([401, 403, 410]);
const busyStatuses: ReadonlySet<number> = new Set([409, 423]);
const damagedStatuses: ReadonlySet<number> = new Set([422, 460]);

/** Speaks tus 1.0 with the hub. It sends by XMLHttpRequest, since fetch does not tell how much of a body was sent. */
export const uploadTransport: UploadTransport = {
  offsetOf: (url, signal) => exchange('HEAD', url, { headers: tus, signal }),
  send: ({ url, offset, bytes, signal, onProgress }) =>
    exchange('PATCH', url, {
      headers: { ...tus, 'Content-Type': 'application/offset+octet-stream', 'Upload-Offset': `${offset}` },
      body: bytes,
      signal,
      onProgress,
    }),
};

/** How long a request may make no progress before its connection counts as lost: TCP reports a network that is gone only after some 15 minutes. */
const stallMs = 60_000;

interface Exchange {
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: Blob;
  readonly signal: AbortSignal;
  readonly onProgress?: (sentBytes: number) => void;
}

function exchange(
  method: string,
  url: string,
  { headers, body, signal, onProgress }: Exchange,
): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const request = new XMLHttpRequest();
  const onAbort = (): void => {
    request.abort();
    reject(signal.reason);
  };
  request.open(method, url);
  for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
  const stall = stallWatch(() => {
    request.abort();
    reject(interrupted(uploadsCopy.unreachable));
  });
  stall.restart();
  if (onProgress !== undefined) {
    request.upload.onprogress = ({ loaded }) => {
      stall.restart();
      onProgress(loaded);
    };
    // The hub verifies the file now, which takes long for a large one.
    request.upload.onload = stall.end;
  }
  request.onload = () => {
    const offset = Number(request.getResponseHeader('upload-offset') ?? Number.NaN);
    if (request.status < 300 && Number.isInteger(offset)) resolve(offset);
    else reject(failureOf(request));
  };
  request.onerror = () =>
    reject(interrupted(navigator.onLine ? uploadsCopy.unreachable : uploadsCopy.offline));
  signal.addEventListener('abort', onAbort);
  request.send(body ?? null);
  return promise.finally(() => {
    stall.end();
    signal.removeEventListener('abort', onAbort);
  });
}

/** The error after which an upload resumes by itself. */
export function interrupted(message: string, retryAfterMs = 0): TransferError {
  return new TransferError('Interrupted', message, { retryAfterMs });
}

/** Calls `onStall` once `stallMs` have passed since the last restart. */
function stallWatch(onStall: () => void) {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const end = (): void => clearTimeout(timer);
  const restart = (): void => {
    end();
    timer = setTimeout(onStall, stallMs);
  };
  return { restart, end };
}

function failureOf(request: XMLHttpRequest): Error {
  const { status } = request;
  const retryAfterMs = 1000 * (Number.parseInt(request.getResponseHeader('retry-after') ?? '', 10) || 0);
  if (expiredStatuses.has(status)) return new ExpiredUrl();
  // Most often the hub has not noticed the end of the previous request yet; its Retry-After is meant for other clients.
  if (busyStatuses.has(status)) return interrupted(uploadsCopy.busy);
  if (damagedStatuses.has(status)) return new UploadProblem(uploadsCopy.damaged);
  const sentence = messageOf(request);
  const message = sentence ?? uploadsCopy.status(status);
  // A proxy answers 502 while the hub is down; the hub does when its store refuses it, until somebody mends that.
  const isFinal =
    status < 500 || status === 501 || status === 507 || (status === 502 && sentence !== undefined);
  const isTemporary = status === 408 || status === 429 || !isFinal;
  return isTemporary ? interrupted(message, retryAfterMs) : new UploadProblem(message);
}

/** The sentence of the hub; undefined if a proxy in between has answered. */
function messageOf(request: XMLHttpRequest): string | undefined {
  try {
    const { message } = JSON.parse(request.responseText) as { message?: unknown };
    if (typeof message === 'string') return message;
  } catch {
    // Not from the hub, or the answer to HEAD.
  }
  return decodeMessage(request.getResponseHeader(messageHeader));
}
