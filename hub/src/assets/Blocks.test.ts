import { expect, test } from 'vitest';
import { blockBytes, Blocks } from './Blocks.ts';

/** Blocks whose consumption ends when the test says so. */
function heldBlocks(expectedBytes?: number) {
  const consumed: { readonly block: Uint8Array; readonly end: PromiseWithResolvers<void> }[] = [];
  const blocks = new Blocks((block) => {
    const end = Promise.withResolvers<void>();
    consumed.push({ block, end });
    return end.promise;
  }, expectedBytes);
  return { blocks, consumed };
}

/** Whether a promise is settled once everything that is due has run. */
async function isSettled(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const settle = (): void => void (settled = true);
  promise.then(settle, settle);
  await new Promise<void>((resolve) => setImmediate(resolve));
  return settled;
}

function patterned(sizeBytes: number, seed: number): Buffer {
  const bytes = Buffer.alloc(sizeBytes);
  for (let at = 0; at < sizeBytes; at += 1) bytes[at] = (at * 31 + seed + (at >> 8)) & 255;
  return bytes;
}

test.each([1, 65_521, blockBytes, 3 * blockBytes + 7])(
  'pieces of %i bytes come out in full blocks of shared memory, with the rest in the last one',
  async (pieceBytes) => {
    const sent = patterned(pieceBytes === 1 ? blockBytes + 9 : 2 * blockBytes + 123, pieceBytes);
    const received: Buffer[] = [];
    const blocks = new Blocks(async (block) => {
      expect(block.buffer).toBeInstanceOf(SharedArrayBuffer);
      received.push(Buffer.from(block));
    });
    for (let at = 0; at < sent.length; at += pieceBytes) {
      const piece = Buffer.from(sent.subarray(at, at + pieceBytes));
      await blocks.add(piece);
      piece.fill(0);
    }
    await blocks.flush();
    expect(Buffer.concat(received).equals(sent)).toBe(true);
    expect(received.slice(0, -1).every(({ length }) => length === blockBytes)).toBe(true);
    expect(received.at(-1)?.length).toBe(sent.length % blockBytes);
  },
);

test('small contents take only as much memory as they need', async () => {
  const { blocks, consumed } = heldBlocks(10);
  await blocks.add(Buffer.from('0123456789'));
  expect(consumed.map(({ block }) => [block.length, block.buffer.byteLength])).toEqual([[10, 10]]);
  const none = heldBlocks(0);
  await none.blocks.flush();
  expect(none.consumed).toEqual([]);
});

test('whoever adds waits while four blocks are consumed, and none of them is used for other bytes', async () => {
  const { blocks, consumed } = heldBlocks();
  const adding = blocks.add(patterned(6 * blockBytes, 1));
  expect(await isSettled(adding)).toBe(false);
  expect(consumed.length).toBe(4);
  expect(new Set(consumed.map(({ block }) => block.buffer)).size).toBe(4);
  const first = consumed[0]?.block.buffer;
  consumed[0]?.end.resolve();
  expect(await isSettled(adding)).toBe(false);
  expect(consumed.map(({ block }) => block.buffer).indexOf(first as SharedArrayBuffer, 1)).toBe(4);
  for (let index = 1; index < 6; index += 1) {
    await expect.poll(() => consumed.length).toBeGreaterThan(index);
    consumed[index]?.end.resolve();
  }
  await adding;
  await blocks.flush();
  expect(Buffer.concat(consumed.slice(4).map(({ block }) => block)).length).toBe(2 * blockBytes);
});

test('a failure of consuming is thrown at a later call, and settling waits for the others', async () => {
  const { blocks, consumed } = heldBlocks();
  await blocks.add(patterned(2 * blockBytes, 1));
  consumed[0]?.end.reject(new Error('The disk is full.'));
  await expect(blocks.flush()).rejects.toThrow('The disk is full.');
  const settling = blocks.settle();
  expect(await isSettled(settling)).toBe(false);
  consumed[1]?.end.reject(new Error('The disk is still full.'));
  await settling;
});
