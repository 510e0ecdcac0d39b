// The thread that hashes: it gets bytes and says when it has read them, and what the digests are at the end.
import { parentPort } from 'node:worker_threads';
import { ChunkedHash } from './chunked-hash.ts';

/** What the thread is told about a hash, by its number: bytes, or that it ends, or that nobody will end it. */
export interface ToHashWorker {
  readonly id: number;
  readonly step: Uint8Array | 'end' | 'drop';
}

/** What it answers to bytes and to an end, in the order of these. */
export type FromHashWorker = 'hashed' | ReturnType<ChunkedHash['finish']>;

const hashes = new Map<number, ChunkedHash>();
const answer = (message: FromHashWorker): void => parentPort?.postMessage(message);

parentPort?.on('message', ({ id, step }: ToHashWorker) => {
  const hash = hashes.get(id) ?? new ChunkedHash();
  if (typeof step === 'object') {
    hashes.set(id, hash);
    hash.update(step);
    return answer('hashed');
  }
  hashes.delete(id);
  if (step === 'end') answer(hash.finish());
});
