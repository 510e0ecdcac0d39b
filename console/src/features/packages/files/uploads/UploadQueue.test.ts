import { ActionError, ids } from '@corral/contract';
import { expect, test, vi } from 'vitest';
import { uploadsCopy as words } from './copy.ts';
import { ExpiredUrl, interrupted, type FilePart } from './send-part.ts';
import type { UploadParts } from './upload-file.ts';
import { UploadQueue } from './UploadQueue.ts';

const assetId = ids.asset.of('1'.repeat(22));
const repositoryId = ids.repository.of('2'.repeat(22));
const versionId = ids.packageVersion.of('3'.repeat(22));
const mib = 1_048_576;

/** A hub that stores what it receives, with its next answers. */
function hub() {
  const state = {
    kept: 0,
    isAvailable: false,
    /** What the store of the repository said at the last check. */
    stored: 'Verified',
    added: [] as string[],
    urls: 0,
    /** Thrown by the next requests, after half of their part was stored, or nothing of it if `isDead`. */
    failures: [] as Error[],
    addAnswers: [] as ('Added' | 'FilenameAlreadyExists')[],
    /** What the version has. */
    files: [] as { filename: string; digest?: string; assetId?: typeof assetId; [state: string]: unknown }[],
    waits: [] as number[],
    isDead: false,
    isOffline: false,
    nowMs: 0,
    held: undefined as Promise<void> | undefined,
  };
  const send = async ({ offset, bytes, onProgress }: FilePart): Promise<number> => {
    await state.held;
    const failure = state.failures.shift();
    const cutShare = state.isDead ? 0 : 0.5;
    state.kept = offset + (failure === undefined ? 1 : cutShare) * bytes.size;
    onProgress(state.kept - offset);
    if (failure !== undefined) throw failure;
    return state.kept;
  };
  const parts: UploadParts = {
    calls: {
      create: () =>
        Promise.resolve({ result: state.isAvailable ? 'AssetAlreadyExists' : 'Created', assetId }),
      details: () =>
        Promise.resolve({
          status: state.isAvailable ? 'Available' : 'Dangling',
          storage: { status: state.stored },
        } as never),
      issueUrl: () => {
        state.urls += 1;
        const url = `http://hub.example/r/assets/1?sig=${state.urls}`;
        return Promise.resolve({ url, resumableUrl: url, expiresAt: '' });
      },
      add: (_, { filename }) => {
        state.added.push(filename);
        const result = state.addAnswers.shift() ?? 'Added';
        if (result !== 'Added') state.files.push({ filename, assetId });
        return Promise.resolve({ result });
      },
      filesOf: () => Promise.resolve(state.files as never),
    },
    hashFile: (file) => Promise.resolve(`sha256_of_${file.name}`),
    transport: { offsetOf: () => Promise.resolve(state.kept), send },
    retries: {
      wait: (durationMs) => {
        state.waits.push(durationMs);
        state.nowMs += durationMs;
        return Promise.resolve();
      },
      isOffline: () => state.isOffline,
      nowMs: () => state.nowMs,
      random: () => 1,
    },
  };
  const remembered = new Set<string>();
  const queue = new UploadQueue(parts, {
    remember: (names) => names.forEach((name) => remembered.add(name)),
    forget: (names) => names.forEach((name) => remembered.delete(name)),
  });
  return { state, queue, remembered };
}

const fileOf = (name: string, size: number): File => new File([new Uint8Array(size)], name);

/** A file of a size that no test keeps in memory. */
function largeFile(name: string, size: number): File {
  const file = fileOf(name, 1);
  Object.defineProperty(file, 'size', { value: size });
  file.slice = (start = 0, end = size) =>
    ({ size: Math.min(end, size) - start, arrayBuffer: () => Promise.resolve(new ArrayBuffer(0)) }) as Blob;
  return file;
}

const target = { repositoryId, kind: 'version', id: versionId } as const;
const deadLine = () => Array.from({ length: 200 }, () => interrupted('No connection.'));
const ended = (queue: UploadQueue) => vi.waitFor(() => expect(queue.isActive).toBe(false));
const stateOf = (queue: UploadQueue) => queue.items().map(({ state }) => state);

test('a file is sent in parts, goes on where it was cut, and is added to the version', async () => {
  const { state, queue, remembered } = hub();
  state.failures = [interrupted('The hub cannot be reached.', 5_000), new ExpiredUrl()];
  queue.add([largeFile('press.img', 100 * mib)], target);
  expect([...remembered]).toEqual(['press.img']);
  await ended(queue);
  expect(stateOf(queue)).toEqual([{ step: 'Done', outcome: 'added' }]);
  expect(state.kept).toBe(100 * mib);
  expect(state.urls).toBe(3);
  expect(state.waits[0]).toBeGreaterThanOrEqual(5_000);
  expect(state.added).toEqual(['press.img']);
  expect(remembered.size).toBe(0);
});

test('bytes that the repository has are not sent, and a file that the version has is not added again', async () => {
  const { state, queue } = hub();
  state.isAvailable = true;
  state.files = [{ filename: 'b.img', digest: 'sha256_of_b.img', status: 'Available' }];
  queue.add([fileOf('a.img', 5), fileOf('b.img', 5)], target);
  await ended(queue);
  expect(stateOf(queue)).toEqual([
    { step: 'Done', outcome: 'addedKnown' },
    { step: 'Done', outcome: 'present' },
  ]);
  expect([state.urls, state.added]).toEqual([0, ['a.img']]);
});

test.each([
  ['Available', 'Missing'],
  ['Available', 'Mismatched'],
  ['Dangling', 'Unknown'],
])(
  'a file that the version has (%s, in the store %s) is sent again, and is no other file of its name',
  async (status, stored) => {
    const { state, queue } = hub();
    Object.assign(state, { isAvailable: status === 'Available', stored });
    const storage = { status: stored };
    state.files = [{ filename: 'a.img', digest: 'sha256_of_a.img', assetId, status, storage }];
    state.addAnswers = ['FilenameAlreadyExists'];
    queue.add([fileOf('a.img', 5)], target);
    await ended(queue);
    expect(stateOf(queue)).toEqual([{ step: 'Done', outcome: 'repaired' }]);
    expect([state.urls, state.kept]).toEqual([1, 5]);
  },
);

test('another file of the same name is refused before anything is sent, and so is one of two files of a name', async () => {
  const { state, queue } = hub();
  state.files = [{ filename: 'a.img', digest: 'sha256_other' }];
  queue.add([fileOf('a.img', 5), fileOf('b.img', 5), fileOf('b.img', 5)], target);
  await ended(queue);
  expect(stateOf(queue)).toEqual([
    { step: 'Failed', message: words.nameTaken('version') },
    { step: 'Done', outcome: 'added' },
    { step: 'Failed', message: words.duplicate },
  ]);
  expect(state.added).toEqual(['b.img']);
  state.files = [];
  queue.retry(queue.items()[0]!.id);
  await ended(queue);
  expect(state.added).toEqual(['b.img', 'a.img']);
});

test('files that are too many for a version are left out, and counted', async () => {
  const { queue } = hub();
  const names = Array.from({ length: 1003 }, (_, index) => `${index}.img`);
  queue.add(
    names.map((name) => fileOf(name, 1)),
    target,
  );
  await ended(queue);
  expect([queue.items().length, queue.leftOut]).toEqual([1000, 3]);
});

test('an offline browser waits for longer than ten minutes', async () => {
  const { state, queue } = hub();
  state.isOffline = true;
  state.isDead = true;
  state.failures = deadLine();
  queue.add([largeFile('press.img', 100 * mib)], target);
  await ended(queue);
  expect(state.nowMs).toBeGreaterThan(600_000);
  expect(stateOf(queue)).toEqual([{ step: 'Done', outcome: 'added' }]);
});

test('an added file whose answer was lost counts as added', async () => {
  const { state, queue } = hub();
  state.addAnswers = ['FilenameAlreadyExists'];
  queue.add([fileOf('press.img', 5)], target);
  await ended(queue);
  expect(stateOf(queue)).toEqual([{ step: 'Done', outcome: 'added' }]);
});

test('a failure that repeating does not help ends an upload with the sentence of the hub; it can be begun again', async () => {
  const { state, queue } = hub();
  state.failures = [new ActionError('Invalid', 'The quota of the repository is used up.')];
  queue.add([fileOf('press.img', 4)], target);
  await ended(queue);
  expect(stateOf(queue)).toEqual([{ step: 'Failed', message: 'The quota of the repository is used up.' }]);
  queue.retry(queue.items()[0]!.id);
  await ended(queue);
  expect(stateOf(queue)).toEqual([{ step: 'Done', outcome: 'added' }]);
  expect(state.kept).toBe(4);
});

test('a failed upload stays remembered, until it is complete or the user removes it', async () => {
  const { state, queue, remembered } = hub();
  state.failures = [new ActionError('Invalid', 'No.'), new ActionError('Invalid', 'No.')];
  queue.add([fileOf('press.img', 4), fileOf('notes.txt', 4)], target);
  await ended(queue);
  expect([...remembered]).toEqual(['press.img', 'notes.txt']);
  const [press, notes] = queue.items();
  queue.retry(press!.id);
  await ended(queue);
  expect([...remembered]).toEqual(['notes.txt']);
  queue.remove(notes!.id);
  expect(remembered.size).toBe(0);
});

test('an upload that another tab forgets stays remembered while it is not complete', async () => {
  const { queue, remembered } = hub();
  queue.add([fileOf('press.img', 5)], target);
  remembered.clear();
  queue.rememberAgain('press.img');
  queue.rememberAgain('other.img');
  expect([...remembered]).toEqual(['press.img']);
  await ended(queue);
  expect(remembered.size).toBe(0);
  queue.rememberAgain('press.img');
  expect(remembered.size).toBe(0);
});

test('a file that is refused beside one of its name neither is remembered nor makes that forgotten', async () => {
  const { state, queue, remembered } = hub();
  const { promise, resolve } = Promise.withResolvers<void>();
  state.held = promise;
  queue.add([fileOf('a.img', 5), fileOf('a.img', 5)], target);
  queue.remove(queue.items()[1]!.id);
  expect([...remembered]).toEqual(['a.img']);
  queue.add([fileOf('a.img', 5)], target);
  resolve();
  await ended(queue);
  expect(stateOf(queue)).toMatchObject([{ step: 'Done' }, { step: 'Failed' }]);
  expect(remembered.size).toBe(0);
});

test('an error inside the hub is waited for', async () => {
  const { state, queue } = hub();
  state.failures = [new ActionError('Internal', 'Something went wrong in the hub.')];
  queue.add([fileOf('press.img', 4)], target);
  await ended(queue);
  expect(stateOf(queue)).toEqual([{ step: 'Done', outcome: 'added' }]);
});

test('after ten minutes without progress an upload ends and says how to go on', async () => {
  const { state, queue } = hub();
  state.isDead = true;
  state.failures = deadLine();
  queue.add([largeFile('press.img', 100 * mib)], target);
  await ended(queue);
  expect(stateOf(queue)).toEqual([
    { step: 'Failed', message: `No connection. It was tried again for 10 minutes. ${words.resume}` },
  ]);
});

test('two files are under way at a time; a cancelled one makes room for the next', async () => {
  const { state, queue } = hub();
  const { promise, resolve } = Promise.withResolvers<void>();
  state.held = promise;
  queue.add(
    ['a', 'b', 'c'].map((name) => fileOf(name, 5)),
    target,
  );
  await vi.waitFor(() =>
    expect(stateOf(queue)).toMatchObject([{ step: 'Sending' }, { step: 'Sending' }, { step: 'Waiting' }]),
  );
  queue.remove(queue.items()[0]!.id);
  await vi.waitFor(() => expect(stateOf(queue)).toMatchObject([{ step: 'Sending' }, { step: 'Sending' }]));
  resolve();
  await ended(queue);
  expect(queue.items().map(({ filename }) => filename)).toEqual(['b', 'c']);
  expect(state.added).not.toContain('a');
});
