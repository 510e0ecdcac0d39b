import type { Id } from '@corral/contract';
import { expect, test } from 'vitest';
import {
  sceneOfTest,
  callUrl,
  fileOf,
  type AssetScene,
  type RawAnswer,
  type TestFile,
} from '../../../test/asset-scene.ts';
import type { Profile, S3Double } from '../../../test/s3-double/s3-double.ts';
import { doubleOfTest } from '../../../test/two-hubs.ts';

interface Stored {
  readonly scene: AssetScene;
  readonly store: S3Double;
  readonly file: TestFile;
  readonly assetId: Id<'asset'>;
}

/** A file in a store from which the hub itself reads for its clients. */
async function storedFile(profile: Partial<Profile> = {}): Promise<Stored> {
  const [scene, store, file] = [await sceneOfTest(), await doubleOfTest(profile), fileOf(300_000)];
  await scene.useStore(store, { publicEndpoint: 'none' });
  return { scene, store, file, assetId: await scene.upload(file) };
}

const stateOf = ({ scene, assetId }: Stored) => scene.stateOf(assetId);

/** Downloads that must not make the hub take the asset for damaged: of one part, and of two. */
async function getParts(stored: Stored) {
  const { scene, assetId } = stored;
  const { bytes } = stored.file;
  const url = await scene.downloadUrl(assetId);
  const part = async (start: number, end: number) => {
    const answer = await callUrl(url, { headers: { range: `bytes=${start}-${end}` } });
    const isRight = answer.status === 206 && answer.bytes.equals(bytes.subarray(start, end + 1));
    return isRight ? 'right' : `${answer.status} ${isCutOrText(answer)}`;
  };
  // A short one is read before the answer begins; others are streamed.
  const parts = [await part(10, 19), await part(1000, 250_000), await part(290_000, 299_999)];
  const two = await callUrl(url, { headers: { range: 'bytes=5-9,100-104' } });
  const hasTwo = [bytes.subarray(5, 10), bytes.subarray(100, 105)].every((some) => two.bytes.includes(some));
  const whole = await callUrl(url);
  return {
    parts,
    two: two.status === 206 && hasTwo,
    whole: whole.bytes.equals(bytes),
    state: await stateOf(stored),
  };
}

const isCutOrText = ({ isCut, bytes }: RawAnswer): string => (isCut ? 'cut' : bytes.toString('utf8'));

for (const [how, change] of [
  ['serves no parts any more', { ranges: false }],
  ['does not tell the length of a part', { rangeAnswer: 'unsized' }],
] satisfies [string, Partial<Profile>][])
  test(`a store that ${how}: parts are right, and the asset is not taken for damaged`, async () => {
    const stored = await storedFile();
    Object.assign(stored.store.profile, change);
    expect(await getParts(stored)).toEqual({
      parts: ['right', 'right', 'right'],
      two: true,
      whole: true,
      state: 'Available Verified',
    });
  });

test('a store that answers with another part than the wanted one: the download fails, and the asset is not taken for damaged', async () => {
  const stored = await storedFile();
  stored.store.profile.rangeAnswer = 'shifted';
  const { parts, ...rest } = await getParts(stored);
  for (const part of parts)
    expect(part).toMatch(/^503 .*other bytes of an object than those it was asked for/);
  expect(rest).toEqual({ two: false, whole: true, state: 'Available Verified' });
});

test('a store that is known to serve no parts: downloads have the whole', async () => {
  const stored = await storedFile({ ranges: false });
  const { scene, file, assetId } = stored;
  const answer = await callUrl(await scene.downloadUrl(assetId), { headers: { range: 'bytes=10-19' } });
  expect([answer.status, answer.headers['accept-ranges']]).toEqual([200, 'none']);
  expect(answer.bytes.equals(file.bytes)).toBe(true);
  expect(await stateOf(stored)).toBe('Available Verified');
});
