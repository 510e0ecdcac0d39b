import { request } from 'node:http';
import { once } from 'node:events';
import { beforeAll, expect, test } from 'vitest';
import { everything, openStore } from '../../../../../test/open-store.ts';
import { checksumOf, etagOf } from '../../../../../test/s3-double/objects.ts';
import { s3Double, type Profile } from '../../../../../test/s3-double/s3-double.ts';
import { storageRules } from '../../../../../test/storage-rules.ts';
import { collect, inPieces, sampleContent, unaborted } from '../../../../../test/stored-bytes.ts';
import { outgoingRule } from '../../../../config/outgoing-addresses.ts';
import { storageKey } from '../storage-key.ts';
import { storeFindings } from '../store-findings.ts';
import { probeStore } from './probe.ts';
import type { StoreCapabilities, StoreSettings } from './store-settings.ts';

const parts = { rule: () => undefined, now: () => new Date() };
const probe = (settings: StoreSettings) => probeStore(settings, parts);

const profiles: Record<string, Partial<Profile>> = {
  'that enforces everything': {},
  'that ignores checksums and preconditions and keeps short uploads': {
    checksum: 'ignored',
    conditional: 'ignored',
    keepsShortUploads: true,
    reportsChecksum: false,
  },
  'that checks nothing at all': {
    checksum: 'ignored',
    conditional: 'ignored',
    checksSignedDigest: false,
    reportsChecksum: false,
  },
  'that rejects checksums and preconditions': {
    checksum: 'rejected',
    conditional: 'rejected',
    reportsChecksum: false,
  },
  'whose clock is ten minutes ahead': { clockAheadMs: 600_000 },
  'whose clock is ten minutes behind': { clockAheadMs: -600_000 },
};

async function probeOf(profile: Partial<Profile>): Promise<StoreCapabilities> {
  await using store = await s3Double(profile);
  return await probe(store.settings);
}

// A probe waits for what may still appear in the store, so those of all profiles run at once.
const found = new Map<string, StoreCapabilities>();
beforeAll(() =>
  Promise.all(
    Object.entries(profiles).map(async ([name, profile]) => found.set(name, await probeOf(profile))),
  ),
);

for (const [name, profile] of Object.entries(profiles))
  test(`a store ${name} keeps all rules`, async () => {
    const capabilities = found.get(name)!;
    for (const [rule, check] of Object.entries(storageRules)) {
      await using store = await s3Double(profile);
      await check(openStore({ ...store.settings, capabilities })).catch((error: unknown) => {
        throw new Error(rule, { cause: error });
      });
    }
  });

test('the probe tells what a store enforces, and leaves nothing behind', async () => {
  const cases: [Partial<Profile>, Partial<typeof everything>][] = [
    [{}, {}],
    [{ checksum: 'ignored' }, { checksum: 'ignored', reportsChecksum: false }],
    [{ checksum: 'rejected' }, { checksum: 'rejected', reportsChecksum: false }],
    [{ conditional: 'ignored' }, { conditional: false }],
    [{ conditional: 'rejected' }, { conditional: false }],
    [{ ranges: false }, { ranges: false, presignedUrls: false }],
    [{ reportsChecksum: false }, { reportsChecksum: false }],
    [{ keepsShortUploads: true }, { discardsShortUploads: false }],
  ];
  const check = async ([profile, expected]: (typeof cases)[number]) => {
    await using store = await s3Double(profile);
    expect({ ...(await probe(store.settings)), clockAheadSecs: 0 }).toEqual({ ...everything, ...expected });
    expect([...store.objects.keys()]).toEqual([]);
  };
  await Promise.all(cases.map(check));
});

test.concurrent.each([
  [-10, /^The clock of the store is (9 min 59 s|10 min|10 min 1 s) behind the hub's/, ['clock']],
  [
    10,
    /^The clock of the store is (9 min 59 s|10 min|10 min 1 s) ahead of the hub's/,
    ['presignedUrls', 'clock'],
  ],
  [
    -20,
    /^The clock of the store is (19 min 59 s|20 min|20 min 1 s) behind the hub's/,
    ['presignedUrls', 'clock'],
  ],
  [
    20,
    /^The clock of the store is (19 min 59 s|20 min|20 min 1 s) ahead of the hub's/,
    ['presignedUrls', 'clock'],
  ],
])(
  'a clock that is %s minutes off is a finding, in a sentence, and no lack of features',
  async (minutes, said, names) => {
    await using store = await s3Double({ clockAheadMs: minutes * 60_000 });
    const findings = storeFindings(await probe(store.settings));
    const bad = findings.filter(({ isFine }) => !isFine);
    expect(bad.map(({ name }) => name)).toEqual(names);
    expect(bad.at(-1)?.text).toMatch(said);
    if (bad.length > 1)
      expect(bad[0]?.text).toMatch(/because their clocks differ, .* save the settings again\.$/);
    expect(storeFindings(undefined)).toHaveLength(1);
    for (const { text } of findings) expect(text).toMatch(/^[A-Z].*\.$/);
  },
);

test('a store that refuses says why, and its secret is in no message', async () => {
  await using store = await s3Double();
  await using skewed = await s3Double({ clockAheadMs: 20 * 60_000 });
  const cases: [StoreSettings, string, RegExp][] = [
    [
      { ...store.settings, secretAccessKey: 'other' },
      'Refused',
      /check the secret key.*SignatureDoesNotMatch/,
    ],
    [{ ...store.settings, accessKeyId: 'other' }, 'Refused', /does not know the access key/],
    [{ ...store.settings, bucket: 'other' }, 'Refused', /has no such bucket/],
    [
      { ...store.settings, endpoint: 'http://127.0.0.1:1' },
      'Unreachable',
      /cannot be reached \(ECONNREFUSED\)/,
    ],
  ];
  for (const [settings, fault, message] of cases) {
    const refusal = probe(settings);
    await expect(refusal).rejects.toMatchObject({ name: 'StorageError', fault });
    await expect(refusal).rejects.toThrow(message);
    await expect(refusal).rejects.not.toThrow(settings.secretAccessKey);
  }
  // The library corrects its clock by the store's and tries again, so even this works; the finding says it.
  expect(storeFindings(await probe(skewed.settings)).at(-1)).toMatchObject({ name: 'clock', isFine: false });
});

test('a presigned upload is only given out if the store pins it, and never for nothing or for more than one PUT takes', async () => {
  await using store = await s3Double();
  const content = { ...sampleContent(10), assetId: 'asset1', ttlSecs: 60 };
  const signed = (capabilities: Partial<typeof everything>, more = {}) =>
    openStore({ ...store.settings, capabilities: { ...everything, ...capabilities } }).direct?.presignPut(
      'a/b',
      { ...content, ...more },
    );
  expect(await signed({})).toMatchObject({ headers: { 'if-none-match': '*' } });
  expect(await signed({ checksum: 'ignored' })).toBeUndefined();
  expect(await signed({ conditional: false })).toBeUndefined();
  expect(await signed({}, { sizeBytes: 0 })).toBeUndefined();
  expect(await signed({}, { sizeBytes: 5 * 1024 ** 3 + 1 })).toBeUndefined();
  expect(signed({ presignedUrls: false })).toBeUndefined();
});

test('URLs for clients lead to the public endpoint, and are valid there alone', async () => {
  await using store = await s3Double();
  const { port } = new URL(store.settings.endpoint);
  const content = sampleContent(1000);
  const key = storageKey('', 'r1', content.digest);
  const publicEndpoint = `http://files.example:${port}`;
  const storage = openStore({ ...store.settings, publicEndpoint });
  await storage.write(key, inPieces(content.bytes), content, unaborted());
  const url = new URL((await storage.direct?.presignGet(key, { ttlSecs: 60 })) ?? '');
  expect(url.host).toBe(`files.example:${port}`);
  const get = async (host: string) => {
    const sent = request({
      port,
      host: '127.0.0.1',
      path: url.pathname + url.search,
      headers: { host },
    }).end();
    const [response] = await once(sent, 'response');
    response.resume();
    return response.statusCode as number;
  };
  expect(await get(url.host)).toBe(200);
  expect(await get(`127.0.0.1:${port}`)).toBe(403);
  expect(await get('other.example')).toBe(403);
});

test('the bucket is in the host name if the store wants it there', async () => {
  await using store = await s3Double({ isVirtualHost: true });
  const { port } = new URL(store.settings.endpoint);
  const storage = openStore({ ...store.settings, endpoint: `http://s3.example:${port}` });
  const url = new URL((await storage.direct?.presignGet('a/b', { ttlSecs: 60 })) ?? '');
  expect(url.host).toBe(`assets.s3.example:${port}`);
  expect(url.pathname).toBe('/a/b');
});

test('some answers of an overloaded store are tried again, and many become a sentence', async () => {
  await using store = await s3Double();
  const storage = openStore(store.settings);
  const content = sampleContent(100_000);
  const key = storageKey('', 'r1', content.digest);
  await storage.write(key, inPieces(content.bytes), content, unaborted());
  store.profile.failures = 2;
  expect(await storage.stat(key)).toMatchObject({ sizeBytes: 100_000 });
  store.profile.failures = 3;
  await expect(storage.stat(key)).rejects.toMatchObject({ fault: 'Unreachable' });
  store.profile.failures = 100;
  const write = storage.write(key, inPieces(content.bytes), content, unaborted({ replaces: true }));
  await expect(write).rejects.toThrow(/is overloaded: try again later/);
  expect(100 - store.profile.failures).toBeLessThanOrEqual(3);
});

test('objects that vanish or change behind our back are noticed, and a write heals them', async () => {
  await using store = await s3Double();
  const storage = openStore(store.settings);
  const content = sampleContent(100_000);
  const key = storageKey('', 'r1', content.digest);
  const write = () => storage.write(key, inPieces(content.bytes), content, unaborted());
  await write();
  const put = (bytes: Buffer) =>
    store.objects.set(key, {
      ...store.objects.get(key)!,
      bytes,
      checksum: checksumOf(bytes),
      etag: etagOf(bytes),
    });
  for (const damage of [
    () => void store.objects.delete(key),
    () => void put(content.bytes.subarray(1)),
    () => void put(Buffer.alloc(100_000)),
  ]) {
    damage();
    const info = await storage.stat(key);
    expect(info?.sizeBytes === 100_000 && info.digest?.equals(content.digest)).toBeFalsy();
    await write();
    expect((await collect(await storage.read(key))).equals(content.bytes)).toBe(true);
  }
  put(content.bytes.subarray(0, 10));
  await expect(storage.read(key, { start: 5, end: 50 })).rejects.toMatchObject({ fault: 'SizeMismatch' });
});

test('a store without space says so, and parts of a failed upload are aborted', async () => {
  await using store = await s3Double({ capacityBytes: 1000 });
  const content = sampleContent(6_000_000);
  const key = storageKey('', 'r1', content.digest);
  const write = (storage: ReturnType<typeof openStore>, bytes: Buffer) =>
    storage.write(key, inPieces(bytes), content, unaborted());
  await expect(write(openStore(store.settings), content.bytes)).rejects.toMatchObject({ fault: 'Full' });
  const inParts = openStore(store.settings, { mostAtOnce: 1000 });
  await expect(write(inParts, content.bytes)).rejects.toMatchObject({ fault: 'Full' });
  store.profile.capacityBytes = Infinity;
  await expect(write(inParts, Buffer.alloc(6_000_000))).rejects.toMatchObject({ fault: 'DigestMismatch' });
  expect(store.uploads.size).toBe(0);
  await write(inParts, content.bytes);
  expect(await inParts.stat(key)).toEqual({ sizeBytes: 6_000_000, assetId: 'asset1' });
});

test('the hub connects to no address that the rule forbids, by name or by number', async () => {
  await using store = await s3Double();
  const { port } = new URL(store.settings.endpoint);
  for (const endpoint of [
    `http://127.0.0.1:${port}`,
    `http://localhost:${port}`,
    `http://[::ffff:127.0.0.1]:${port}`,
    `http://2130706433:${port}`,
    'http://169.254.169.254',
  ]) {
    const storage = openStore({ ...store.settings, endpoint }, { rule: outgoingRule([]) });
    await expect(storage.stat('a'), endpoint).rejects.toMatchObject({ fault: 'Refused' });
    const partsWithRule = { ...parts, rule: outgoingRule([]) };
    await expect(probeStore({ ...store.settings, endpoint }, partsWithRule)).rejects.toMatchObject({
      fault: 'Refused',
    });
  }
  expect(store.requests).toEqual([]);
  const allowed = openStore(store.settings, {
    rule: outgoingRule([{ place: '127.0.0.1', port: Number(port) }]),
  });
  expect(await allowed.stat('a')).toBeUndefined();
});
