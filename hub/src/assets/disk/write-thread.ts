// The thread that writes blocks of shared memory to files.
import { writeSync } from 'node:fs';
import { parentPort } from 'node:worker_threads';
import type { BlocksToWrite, WriteOutcome } from './write-messages.ts';

/**
 * The most bytes of one call. For larger ones the system takes larger areas of its memory, and where these have not been in use for long, as on virtual machines, it
 * fills them up to ten times slower.
 */
const callBytes = 65_536;

parentPort?.on('message', (message: BlocksToWrite) => parentPort?.postMessage(outcomeOf(message)));

function outcomeOf({ fd, blocks, position }: BlocksToWrite): WriteOutcome {
  let end = position;
  try {
    for (const block of blocks) end += writeBlock(fd, block, end);
    return 'written';
  } catch (error) {
    const { message, code, syscall } = error as NodeJS.ErrnoException;
    return { message, code, syscall };
  }
}

/** A short write is followed by the error that caused it, such as a full disk. */
function writeBlock(fd: number, block: Uint8Array, position: number): number {
  for (let done = 0; done < block.length;)
    done += writeSync(fd, block, done, Math.min(callBytes, block.length - done), position + done);
  return block.length;
}
