import { createHash, hash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import { chunkBytes } from './chunk-size.ts';

/** Memory for chunks on their way to the thread; while none is free, chunks are hashed here. */
const slotCount = 16;
/** For less, the way to the thread takes longer than the hash. */
const minThreadBytes = 262_144;

interface HashThread {
  readonly worker: Worker;
  readonly memory: SharedArrayBuffer;
  readonly freeSlots: number[];
  readonly waiting: Map<number, { readonly sizeBytes: number; readonly resolve: (digest: Buffer) => void }>;
}

let thread: HashThread | undefined;

/**
 * The SHA-256 of a chunk of at most 1 MiB, which is given in pieces. A thread of its own computes it where there are several processors,
 * because an upload would otherwise wait twice for the hash: of the whole and of each chunk.
 */
export async function hashChunk(pieces: readonly Uint8Array[], sizeBytes: number): Promise<Buffer> {
  if (sizeBytes < minThreadBytes || availableParallelism() === 1) return hashHere(pieces);
  thread ??= startThread();
  const slot = thread.freeSlots.pop();
  return slot === undefined ? hashHere(pieces) : hashThere(thread, slot, pieces, sizeBytes);
}

function hashHere(pieces: readonly Uint8Array[]): Buffer {
  const chunk = createHash('sha256');
  for (const piece of pieces) chunk.update(piece);
  return chunk.digest();
}

function hashThere(
  { worker, memory, waiting }: HashThread,
  slot: number,
  pieces: readonly Uint8Array[],
  sizeBytes: number,
): Promise<Buffer> {
  const room = new Uint8Array(memory, slot * chunkBytes, sizeBytes);
  let at = 0;
  for (const piece of pieces) {
    room.set(piece, at);
    at += piece.length;
  }
  worker.postMessage({ slot, sizeBytes });
  return new Promise((resolve) => waiting.set(slot, { sizeBytes, resolve }));
}

function startThread(): HashThread {
  const memory = new SharedArrayBuffer(slotCount * chunkBytes);
  // Without the options of this process, which may load modules that are not meant for a thread.
  const worker = new Worker(new URL('./hash-thread.ts', import.meta.url), {
    workerData: memory,
    execArgv: [],
    env: {},
  });
  const freeSlots = Array.from({ length: slotCount }, (_, slot) => slot);
  const started: HashThread = { worker, memory, freeSlots, waiting: new Map() };
  worker.on('message', ({ slot, digest }: { slot: number; digest: Uint8Array }) =>
    settle(started, slot, Buffer.from(digest)),
  );
  // What a thread that ended leaves behind is hashed here, and the next chunk starts another one.
  const giveUp = (): void => {
    if (thread === started) thread = undefined;
    for (const [slot, { sizeBytes }] of started.waiting) {
      const bytes = Buffer.from(new Uint8Array(memory, slot * chunkBytes, sizeBytes));
      settle(started, slot, hash('sha256', bytes, 'buffer'));
    }
  };
  worker.on('error', giveUp);
  worker.on('exit', giveUp);
  worker.unref();
  return started;
}

function settle({ waiting, freeSlots }: HashThread, slot: number, digest: Buffer): void {
  const { resolve } = waiting.get(slot) ?? {};
  waiting.delete(slot);
  freeSlots.push(slot);
  resolve?.(digest);
}
