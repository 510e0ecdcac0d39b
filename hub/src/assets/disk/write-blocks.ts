import type { FileHandle } from 'node:fs/promises';
import { AnsweringThread } from '../AnsweringThread.ts';
import type { BlocksToWrite, WriteOutcome } from './write-messages.ts';

/** What a client is told whose upload was being written. */
const interrupted = 'The hub had to interrupt the writing of these bytes. Send them again.';
/** What is not larger is written without the thread. */
const smallBytes = 65_536;

type WriteThread = AnsweringThread<BlocksToWrite, WriteOutcome>;
let thread: WriteThread | undefined;

/** Writes blocks behind each other and resolves with the number of their bytes. A thread writes large ones, in many small calls, for which it is woken once. */
export async function writeBlocks(
  file: FileHandle,
  blocks: readonly Uint8Array[],
  position: number,
): Promise<number> {
  const sizeBytes = blocks.reduce((sum, block) => sum + block.length, 0);
  if (sizeBytes <= smallBytes) await writeSmall(file, Buffer.concat(blocks), position);
  else await writeInThread({ fd: file.fd, blocks, position });
  return sizeBytes;
}

async function writeSmall(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length;)
    done += (await file.write(bytes, done, bytes.length - done, position + done)).bytesWritten;
}

async function writeInThread(write: BlocksToWrite): Promise<void> {
  thread ??= startThread();
  const outcome = await thread.ask(write);
  if (outcome === 'written') return;
  const { message, ...system } = outcome;
  throw Object.assign(new Error(message), system);
}

function startThread(): WriteThread {
  const started: WriteThread = new AnsweringThread(
    new URL('./write-thread.ts', import.meta.url),
    interrupted,
    () => {
      if (thread === started) thread = undefined;
    },
  );
  return started;
}
