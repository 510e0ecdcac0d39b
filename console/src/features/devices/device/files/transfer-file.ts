import { filePartBytes } from '@corral/contract';
import { filesCopy as words } from './copy.ts';

/** What a transfer needs. */
export interface Transfer {
  /** Asks for a URL, which is valid for some minutes. */
  readonly issueUrl: () => Promise<string>;
  readonly onProgress: (doneBytes: number, totalBytes: number) => void;
  readonly signal: AbortSignal;
}

/** Fetches a file of a device. Rejected with an Error with one sentence. */
export async function fetchFile(transfer: Transfer): Promise<Blob> {
  const ask = asker('GET', transfer);
  const { sizeBytes, digest } = (await (await ask()).json()) as { sizeBytes: number; digest: string };
  const parts: BlobPart[] = [];
  const hash = await startHash();
  for (let at = 0; at < sizeBytes; at += filePartBytes) {
    transfer.onProgress(at, sizeBytes);
    const bytes = await (await ask(at / filePartBytes)).arrayBuffer();
    const part = new Uint8Array(bytes).subarray(0, sizeBytes - at);
    hash.update(part);
    parts.push(part);
  }
  if (hash.digest() !== digest) throw new Error(words.changed);
  return new Blob(parts);
}

/** Puts a file on a device, where it takes the place of the old one when all of it is there. Rejected with an Error with one sentence. */
export async function putFile(file: Blob, transfer: Transfer): Promise<void> {
  const ask = asker('PUT', transfer);
  let state = await stateOf(await ask());
  while (!state.isDone) {
    const { parts } = state;
    const from = parts * filePartBytes;
    transfer.onProgress(from, file.size);
    state = await stateOf(await ask(parts, file.slice(from, from + filePartBytes)));
    if (!state.isDone && state.parts <= parts) throw new Error(words.unread);
  }
}

/** The digest of a file, as the hub writes it. */
export async function digestOf(file: Blob, signal: AbortSignal): Promise<string> {
  const hash = await startHash();
  for (let at = 0; at < file.size; at += filePartBytes) {
    signal.throwIfAborted();
    const slice = file.slice(at, at + filePartBytes).arrayBuffer();
    const bytes = await slice.catch(() => Promise.reject<ArrayBuffer>(new Error(words.unread)));
    hash.update(new Uint8Array(bytes));
  }
  return hash.digest();
}

async function startHash() {
  const { sha256 } = await import('@noble/hashes/sha2.js');
  const hash = sha256.create();
  return {
    update: (bytes: Uint8Array) => void hash.update(bytes),
    digest: () => `sha256_${[...hash.digest()].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`,
  };
}

const stateOf = async (answer: Response) =>
  (await answer.json()) as { readonly parts: number; readonly isDone: boolean };

/** Sends requests to the URL of a file; asks for another one when it has expired. */
function asker(method: 'GET' | 'PUT', { issueUrl, signal }: Transfer) {
  let path: string | undefined;
  return async (part?: number, body?: Blob): Promise<Response> => {
    for (let wasIssued = path !== undefined; ; wasIssued = false) {
      path ??= pathOf(await issueUrl());
      const answer = await fetch(part === undefined ? path : `${path}&part=${part}`, {
        method,
        signal,
        ...(body === undefined ? {} : { body }),
      }).catch(() => Promise.reject(new Error(words.unreachable)));
      if (answer.ok) return answer;
      if (answer.status !== 403 || !wasIssued) throw new Error(await messageOf(answer));
      path = undefined;
    }
  };
}

/** Of this origin, whichever of its names the page has. */
function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return `${pathname}${search}`;
}

async function messageOf(answer: Response): Promise<string> {
  const body = (await answer.json().catch(() => ({}))) as { message?: unknown };
  return typeof body.message === 'string' ? body.message : words.unreachable;
}
