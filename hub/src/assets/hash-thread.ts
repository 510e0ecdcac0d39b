// The thread that hashes: it gets blocks of bytes in slots of shared memory and answers with the slot once it is free, and with the digests at the end.
import { parentPort, workerData } from 'node:worker_threads';
import { ChunkedHash } from './chunked-hash.ts';
import { slotBytes, type ToThread } from './hash-messages.ts';

const memory = workerData as SharedArrayBuffer;
const hashes = new Map<number, ChunkedHash>();

parentPort?.on('message', (message: ToThread) => {
  const { id } = message;
  const hash = hashes.get(id) ?? new ChunkedHash();
  if (message.kind === 'block') {
    hashes.set(id, hash);
    hash.update(new Uint8Array(memory, message.slot * slotBytes, message.sizeBytes));
    parentPort?.postMessage({ slot: message.slot });
    return;
  }
  hashes.delete(id);
  if (message.kind === 'end') parentPort?.postMessage({ id, ...hash.finish() });
});
