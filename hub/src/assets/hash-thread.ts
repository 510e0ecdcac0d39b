// The thread that hashes: it gets blocks of shared memory and says when it has read one, and what the digests are at the end.
import { parentPort } from 'node:worker_threads';
import { ChunkedHash } from './chunked-hash.ts';
import type { FromThread, ToThread } from './hash-messages.ts';

const hashes = new Map<number, ChunkedHash>();
const answer = (message: FromThread): void => parentPort?.postMessage(message);

parentPort?.on('message', (message: ToThread) => {
  const { id } = message;
  const hash = hashes.get(id) ?? new ChunkedHash();
  if (message.kind === 'block') {
    hashes.set(id, hash);
    hash.update(message.bytes);
    answer('hashed');
    return;
  }
  hashes.delete(id);
  if (message.kind === 'end') answer(hash.finish());
});
