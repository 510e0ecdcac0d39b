import { randomBytes } from 'node:crypto';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { writeBlocks } from './write-blocks.ts';

async function freshFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'corral-blocks-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return join(folder, 'file');
}

const blockOf = (sizeBytes: number): Uint8Array => {
  const block = new Uint8Array(new SharedArrayBuffer(sizeBytes));
  block.set(randomBytes(sizeBytes));
  return block;
};

test('blocks of any size come behind each other, from a position on', async () => {
  for (const sizes of [[10], [3, 5], [65_536], [65_537], [262_144, 262_144, 100_000]]) {
    const path = await freshFile();
    const blocks = sizes.map(blockOf);
    const expected = Buffer.concat(blocks);
    await using file = await open(path, 'wx');
    expect(await writeBlocks(file, blocks, 7)).toBe(expected.length);
    const written = await readFile(path);
    expect(written.subarray(0, 7)).toEqual(Buffer.alloc(7));
    expect(written.subarray(7).equals(expected)).toBe(true);
  }
});

test('a write that fails rejects with the code of the system, and the next one succeeds', async () => {
  const path = await freshFile();
  const blocks = [blockOf(262_144)];
  await using writable = await open(path, 'wx');
  await using readable = await open(path, 'r');
  await expect(writeBlocks(readable, blocks, 0)).rejects.toMatchObject({ code: 'EBADF', syscall: 'write' });
  expect(await writeBlocks(writable, blocks, 0)).toBe(262_144);
});
