import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { filePartBytes, type Input } from '@corral/contract';
import { TransferError } from '../TransferError.ts';
import { withRetries, type TransferRetries } from '../retry.ts';
import type { ProgressObserver } from './download.ts';
import type { DigestedFile } from './file-digest.ts';
import { PartialFile } from './partial-file.ts';
import { answerError, type TransferHttp } from './transfer-http.ts';
import type { Executor } from '../executor.ts';

/** Which file of a device, and why where its project asks that. */
export type DeviceFile = Pick<Input<'devices_IssueFileUrl'>, 'deviceId' | 'path' | 'reason'>;

/** How to fetch or put it. */
export interface DeviceFileOptions extends TransferRetries {
  readonly executor: Executor;
  readonly http: TransferHttp;
  readonly onProgress: ProgressObserver;
}

/** Fetches a file of a device to a file that appears only when its digest is right; what an interrupted run left is kept. Rejected with a TransferError or an error of the executor. */
export async function fetchDeviceFile(
  file: DeviceFile,
  target: string,
  options: DeviceFileOptions,
): Promise<{ readonly sizeBytes: number; readonly digest: string }> {
  const ask = asker({ ...file, access: 'Read' }, options);
  const head = await withRetries(() => ask(), options);
  const { sizeBytes, digest } = JSON.parse(head.toString()) as { sizeBytes: number; digest: string };
  const partial = await PartialFile.open(target, digest);
  try {
    const whole = Math.floor(Math.min(await partial.size(), sizeBytes) / filePartBytes);
    let at = whole * filePartBytes;
    await partial.resize(at);
    for (;;) {
      options.onProgress({ doneBytes: at, totalBytes: sizeBytes });
      if (at >= sizeBytes) break;
      const bytes = await withRetries(() => ask(at / filePartBytes), options);
      if (bytes.length < Math.min(filePartBytes, sizeBytes - at)) throw changed();
      await partial.write(bytes.subarray(0, sizeBytes - at), at);
      at = Math.min(sizeBytes, at + filePartBytes);
    }
    const hash = createHash('sha256');
    for await (const bytes of partial.read()) hash.update(bytes);
    if (`sha256_${hash.digest('hex')}` !== digest) {
      await partial.discard();
      throw changed();
    }
    await partial.finish();
  } catch (error) {
    await partial.close().catch(() => undefined);
    throw error;
  }
  return { sizeBytes, digest };
}

const changed = () =>
  new TransferError('Damaged', 'The file changed while it was fetched, and was discarded: try again.');

/** Puts a file on a device, where it takes the place of the old one when all of it is there; goes on where an interrupted run ended. Rejected with a TransferError or an error of the executor. */
export async function putDeviceFile(
  file: DeviceFile,
  content: DigestedFile,
  options: DeviceFileOptions,
): Promise<void> {
  const { path, sizeBytes, digest } = content;
  const ask = asker({ ...file, access: 'Write', sizeBytes, digest }, options);
  const source = await open(path, 'r');
  let reached = 0;
  const send = async (): Promise<void> => {
    let state = stateIn(await ask());
    while (!state.isDone) {
      options.onProgress({ doneBytes: state.parts * filePartBytes, totalBytes: sizeBytes });
      const bytes = Buffer.alloc(filePartBytes);
      const { bytesRead } = await source.read(bytes, 0, filePartBytes, state.parts * filePartBytes);
      const next = stateIn(await ask(state.parts, bytes.subarray(0, bytesRead)));
      if (!next.isDone && next.parts <= state.parts)
        throw new TransferError('Local', `${JSON.stringify(path)} changed while it was sent: try again.`);
      reached = Math.max(reached, next.parts);
      state = next;
    }
    options.onProgress({ doneBytes: sizeBytes, totalBytes: sizeBytes });
  };
  try {
    await withRetries(send, { ...options, progress: () => reached });
  } finally {
    await source.close();
  }
}

const stateIn = (answer: Buffer) =>
  JSON.parse(answer.toString()) as { readonly parts: number; readonly isDone: boolean };

/** Sends requests to the URL of a file; asks for another one when it has expired. */
function asker(file: Input<'devices_IssueFileUrl'>, { executor, http, signal }: DeviceFileOptions) {
  let url: string | undefined;
  return async (part?: number, body?: Buffer): Promise<Buffer> => {
    const wasIssued = url !== undefined;
    url ??= (await executor.invoke('devices_IssueFileUrl', file)).url;
    const at = new URL(url);
    if (part !== undefined) at.searchParams.set('part', String(part));
    const answer = await http.send(at.href, {
      method: file.access === 'Read' ? 'GET' : 'PUT',
      headers: { 'content-length': String(body?.length ?? 0) },
      ...(body === undefined ? {} : { body: inOne(body) }),
      signal,
    });
    if (answer.statusCode === 200) return Buffer.concat(await answer.toArray());
    const error = await answerError(answer, url);
    url = undefined;
    throw error.status === 403 && wasIssued ? new TransferError('Interrupted', error.message) : error;
  };
}

async function* inOne(body: Buffer): AsyncGenerator<Buffer> {
  yield body;
}
