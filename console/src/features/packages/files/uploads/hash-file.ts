import { uploadsCopy } from './copy.ts';
import type { HashMessage } from './hash.worker.ts';
import { UploadProblem } from './UploadProblem.ts';

/** Computes the digest of a file. Rejects with an UploadProblem, or the reason of the signal. */
export type HashFile = (
  file: File,
  options: { readonly signal: AbortSignal; readonly onProgress: (doneBytes: number) => void },
) => Promise<string>;

/** Hashes in a worker of its own, so that the page stays responsive. */
export const hashFile: HashFile = (file, { signal, onProgress }) => {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const worker = new Worker(new URL('./hash.worker.ts', import.meta.url), { type: 'module' });
  const onAbort = (): void => reject(signal.reason);
  worker.onmessage = ({ data }: MessageEvent<HashMessage>) => {
    if ('digest' in data) resolve(data.digest);
    else if ('doneBytes' in data) onProgress(data.doneBytes);
    else reject(new UploadProblem(uploadsCopy.unreadable));
  };
  worker.onerror = () => reject(new UploadProblem(uploadsCopy.noWorker));
  signal.addEventListener('abort', onAbort);
  worker.postMessage(file);
  return promise.finally(() => {
    signal.removeEventListener('abort', onAbort);
    worker.terminate();
  });
};
