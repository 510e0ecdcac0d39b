// The thread that hashes chunks: it gets the number of a slot of the shared memory and its length, and answers with the digest.
import { hash } from 'node:crypto';
import { parentPort, workerData } from 'node:worker_threads';
import { chunkBytes } from './chunk-size.ts';

const memory = workerData as SharedArrayBuffer;

parentPort?.on('message', ({ slot, sizeBytes }: { slot: number; sizeBytes: number }) => {
  const bytes = new Uint8Array(memory, slot * chunkBytes, sizeBytes);
  parentPort?.postMessage({ slot, digest: hash('sha256', bytes, 'buffer') });
});
