import { statfs } from 'node:fs/promises';

/**
 * Returns a function that says how full the disk of a folder is, in percent of what may be written, as far as is known: each call has it looked up for the next one, and waits for nothing.
 */
export function diskPercentOf(folder: string): () => number | undefined {
  let percent: number | undefined;
  let isReading = false;
  const read = async () => {
    isReading = true;
    try {
      const { blocks, bfree, bavail } = await statfs(folder);
      const used = blocks - bfree;
      percent = Math.ceil((100 * used) / Math.max(1, used + bavail));
    } catch {
      percent = undefined;
    } finally {
      isReading = false;
    }
  };
  return () => {
    if (!isReading) void read();
    return percent;
  };
}
