import { expect, test } from 'vitest';
import { endlessly, hostileStore, trickling, type HostileStore } from '../../../../../test/hostile-store.ts';
import { openStore } from '../../../../../test/open-store.ts';
import { s3Double } from '../../../../../test/s3-double/s3-double.ts';
import { collect, inPieces, sampleContent, unaborted } from '../../../../../test/stored-bytes.ts';
import type { AssetStorage } from '../asset-storage.ts';
import { storageKey } from '../storage-key.ts';
import { probeStore } from './probe.ts';
import type { StoreLimits } from './store-limits.ts';

const content = sampleContent(100_000);
const key = storageKey('', 'r1', content.digest);
const part = { number: 1, sizeBytes: content.sizeBytes, digest: content.digest };
const parts = { parts: [{ number: 1, sizeBytes: 100_000, etag: 'x' }], replaces: true };

/** Whatever a storage asks a store for. */
const operations = {
  write: (storage) => storage.write(key, inPieces(content.bytes), content, unaborted({ replaces: true })),
  read: async (storage) => collect(await storage.read(key)),
  stat: (storage) => storage.stat(key),
  list: (storage) => storage.list(),
  delete: (storage) => storage.delete(key),
  'multipart.start': ({ multipart }) => multipart!.start(key, { assetId: 'asset1', digest: content.digest }),
  'multipart.parts': ({ multipart }) => multipart!.parts(key, 'upload1'),
  'multipart.write': ({ multipart }) => multipart!.write(key, 'upload1', part, inPieces(content.bytes)),
  'multipart.complete': ({ multipart }) => multipart!.complete(key, 'upload1', parts),
  'multipart.abort': ({ multipart }) => multipart!.abort(key, 'upload1'),
  'multipart.unfinished': async ({ multipart }) => {
    for await (const { uploadId } of multipart!.unfinished()) expect.unreachable(uploadId);
  },
} satisfies Record<string, (storage: AssetStorage) => Promise<unknown>>;
const inTime: Partial<StoreLimits> = {
  answerMs: 150,
  storingMs: 150,
  progress: { stallMs: 100, windowMs: 150, minWindowBytes: 10_000 },
  checkEveryMs: 10,
};
/** What the sockets of both ends may have taken besides what the hub reads. */
const bufferedBytes = 67_108_864;

async function mustBeBounded(store: HostileStore): Promise<void> {
  await expect.poll(() => store.openCount()).toBe(0);
  expect(store.sentBytes()).toBeLessThan(bufferedBytes);
}

for (const status of [200, 400]) {
  const { stat: _withoutBody, read, ...withBody } = operations;
  const collected = status === 200 ? withBody : { ...withBody, read };
  test.each(Object.entries(collected))(
    `a store that answers ${status} without end: %s ends when it has read enough`,
    async (_name, run) => {
      const store = await hostileStore((_request, response) =>
        endlessly(response, status, '<?xml version="1.0"?>'),
      );
      const failure = run(openStore(store.settings));
      await expect(failure).rejects.toMatchObject({ name: 'StorageError', fault: 'Unreachable' });
      await expect(failure).rejects.toThrow(/answers with more than (4096|64) KiB/);
      await mustBeBounded(store);
    },
  );
}

test('a store that answers without end cannot be probed, and costs no memory', async () => {
  const store = await hostileStore((_request, response) => endlessly(response, 400));
  const probe = probeStore(store.settings, { rule: () => undefined, now: () => new Date() });
  await expect(probe).rejects.toThrow(/answers with more than 64 KiB/);
  await mustBeBounded(store);
});

test.each(Object.entries(operations))(
  'a store that never ends its answer, or never begins it: %s ends in time',
  async (_name, run) => {
    for (const answer of [trickling, () => undefined]) {
      const store = await hostileStore((request, response) => {
        // An answer without a body ends with its head.
        if (request.method !== 'HEAD') answer(response);
      });
      const startedAtMs = performance.now();
      const failure = run(openStore(store.settings, { limits: inTime }));
      await expect(failure).rejects.toMatchObject({ name: 'StorageError', fault: 'Unreachable' });
      expect(performance.now() - startedAtMs).toBeLessThan(5_000);
    }
  },
);

test('a store that does not take what is written ends the write in time', async () => {
  const store = await hostileStore((request) => void request.pause());
  const large = { ...sampleContent(1), sizeBytes: 100_000_000 };
  async function* bytes() {
    for (;;) yield Buffer.alloc(65_536);
  }
  const storage = openStore(store.settings, { limits: inTime });
  const write = storage.write(key, bytes(), large, unaborted({ replaces: true }));
  await expect(write).rejects.toThrow(/does not answer in time/);
});

test('a store is not slow while the bytes for it are missing, or nobody takes those from it', async () => {
  await using store = await s3Double();
  let [asked, aheadMs] = [0, 0];
  const nowMs = (): number => {
    asked += 1;
    return performance.now() + aheadMs;
  };
  const storage = openStore(store.settings, { limits: { checkEveryMs: 5, nowMs } });
  // Longer than a store may stand still; progress is checked several times meanwhile.
  const beLate = async () => {
    aheadMs += 600_000;
    const before = asked;
    await expect.poll(() => asked).toBeGreaterThan(before + 3);
  };
  async function* slowly() {
    yield* inPieces(content.bytes.subarray(0, 40_000));
    await beLate();
    yield* inPieces(content.bytes.subarray(40_000));
  }
  await storage.write(key, slowly(), content, unaborted());
  const pieces = (await storage.read(key))[Symbol.asyncIterator]();
  const taken = [(await pieces.next()).value];
  await beLate();
  for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) taken.push(next.value);
  expect(Buffer.concat(taken).equals(content.bytes)).toBe(true);
});

test('a list of as many objects as one answer has, with the longest keys, is not too long', async () => {
  await using store = await s3Double();
  const object = {
    bytes: Buffer.alloc(1),
    metadata: {},
    checksum: undefined,
    etag: 'x',
    modifiedAt: new Date(0),
  };
  for (let index = 0; index < 1000; index += 1)
    store.objects.set(`${index}`.padStart(4, '0').padEnd(1024, '&'), object);
  expect(await openStore(store.settings).list()).toHaveLength(1000);
});

test('an upload has no more parts than S3 allows, and its list no more pages', async () => {
  let pages = 0;
  const store = await hostileStore((_request, response) => {
    pages += 1;
    const one = '<Part><PartNumber>1</PartNumber><ETag>x</ETag><Size>1</Size></Part>';
    response.end(
      `<ListPartsResult><IsTruncated>true</IsTruncated><NextPartNumberMarker>1</NextPartNumberMarker>${one.repeat(5000)}</ListPartsResult>`,
    );
  });
  const listed = await openStore(store.settings).multipart?.parts(key, 'upload1');
  expect([listed?.length, pages]).toEqual([10_000, 10]);
});

test('objects of a list that S3 does not have are left out', async () => {
  const store = await hostileStore((_request, response) => {
    const objectOf = (size: string) =>
      `<Contents><Key>a</Key><LastModified>2026-01-01T00:00:00Z</LastModified><Size>${size}</Size></Contents>`;
    const contents = ['-5', '1e300', 'many', '7'].map(objectOf).join('');
    response.end(`<ListBucketResult>${contents}${objectOf('8').repeat(2000)}</ListBucketResult>`);
  });
  const listed = await openStore(store.settings).list();
  expect(listed.length).toBeLessThanOrEqual(1000);
  expect(listed[0]).toMatchObject({ key: 'a', sizeBytes: 7 });
});

test('the words of a store are shown to the operator only; an owner gets its code, if it is one of S3', async () => {
  const answers = {
    AccessDenied: /denies access: .* It said “AccessDenied”\.$/,
    InvalidBucketState: /failed \(409 InvalidBucketState\): .* It said “InvalidBucketState”\.$/,
    'host db-7.internal': /failed \(409\): try again later\.$/,
    constructor: /failed \(409 constructor\)/,
  };
  for (const [code, told] of Object.entries(answers)) {
    const store = await hostileStore((_request, response) =>
      response.writeHead(409).end(`<Error><Code>${code}</Code><Message>the pass phrase</Message></Error>`),
    );
    const parts = { rule: () => undefined, now: () => new Date() };
    const probe = probeStore(store.settings, parts);
    await expect(probe).rejects.toThrow(told);
    await expect(probe).rejects.not.toThrow(/pass phrase|db-7/);
    const forOperator = probeStore(store.settings, { ...parts, isForOperator: true });
    await expect(forOperator).rejects.toThrow(/the pass phrase/);
  }
});
