import type { Id } from '@corral/contract';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callUrl, fileOf, type TestFile } from '../../../test/asset-scene.ts';
import { startGenerationHub, type GenerationHub, type Scene } from '../../../test/generation-scene.ts';
import { people } from '../../../test/newer-client-calls.ts';
import { firstShapes, newerShapes } from '../../../test/strict-shapes.ts';

let at: GenerationHub;
let scene: Scene;
beforeAll(async () => void (at = await startGenerationHub()), 60_000);
afterAll(() => at[Symbol.asyncDispose]());

/** Where the repository of a scene keeps its assets: the settings of its store, besides those of a double. */
const places: Readonly<Record<string, object | undefined>> = {
  'the data folder': undefined,
  'an object store': {},
  'an object store that only the hub reaches': { publicEndpoint: 'none' },
};

async function sceneIn(place: string): Promise<Scene> {
  const made = await at.newScene();
  const { repositoryId } = made.catalogue;
  const more = places[place];
  if (more === undefined) return made;
  const s3Config = { region: 'us-east-1', ...made.objectStore, ...more };
  const set = await made.callers.HTTP('repositories_SetS3Config', { repositoryId, s3Config });
  expect(set).toHaveProperty('value');
  return made;
}

/** Whether clients bring the bytes to the store themselves. */
const isDirect = (place: string) => place === 'an object store';

type By = (typeof people)[number];
type AssetId = Id<'asset'>;

/** Calls as a client of a generation does, and reads the answer as its decoder does: only what it knows. */
function callerOf(by: By, shapes: typeof newerShapes) {
  return async (name: string, input: object): Promise<Record<string, unknown>> => {
    const answer = await scene.callers[by](name, input);
    if ('error' in answer) throw new Error(`${answer.error.kind}: ${answer.error.message}`);
    return shapes[name]?.parse(answer.value) as Record<string, unknown>;
  };
}

const announced = ({ bytes, digest }: TestFile) => ({
  repositoryId: scene.catalogue.repositoryId,
  size: bytes.length,
  digest,
});

async function put(url: unknown, file: TestFile, headers: Record<string, string> = {}): Promise<void> {
  const { status } = await callUrl(String(url), { method: 'PUT', headers, body: file.bytes });
  expect(status).toBeGreaterThanOrEqual(200);
  expect(status).toBeLessThan(300);
}

async function stored(by: By, assetId: AssetId): Promise<{ status: unknown; bytes: Buffer }> {
  const call = callerOf(by, firstShapes);
  const { status } = await call('repositories_GetAssetDetails', { assetId });
  const { url } = await call('repositories_IssueAssetDownloadUrl', { assetId });
  return { status, bytes: (await callUrl(String(url))).bytes };
}

/** As the clients of 2025-09 and 2026-04 do. The asset may exist; nothing follows the PUT. */
async function uploadAtOnce(by: By, shapes: typeof newerShapes, file: TestFile) {
  const call = callerOf(by, shapes);
  const { result, assetId } = await call('repositories_CreateAsset', announced(file));
  const { url } = await call('repositories_IssueAssetUploadUrl', { assetId });
  await put(url, file);
  return { result, assetId: assetId as AssetId };
}

/** As the clients of 2026-08 do; resolves with what they called. */
async function uploadVerified(by: By, file: TestFile, place: string) {
  const calls: string[] = [];
  const decode = callerOf(by, newerShapes);
  const call: typeof decode = (name, input) => {
    calls.push(name.slice('repositories_'.length));
    return decode(name, input);
  };
  const { result, assetId } = await call('repositories_CreateAsset', announced(file));
  const finalize = () => call('repositories_FinalizeAssetUpload', { assetId });
  const done = { assetId: assetId as AssetId, calls };
  if (result === 'AssetAlreadyExists') {
    if ((await call('repositories_GetAssetDetails', { assetId }))['status'] === 'Available') return done;
    if (
      await finalize().then(
        () => true,
        () => false,
      )
    )
      return done;
  }
  const { verifiedUrl, headers } = await call('repositories_IssueAssetUploadUrl', { assetId });
  expect(String(verifiedUrl).includes('/r/assets/')).toBe(!isDirect(place));
  await put(verifiedUrl, file, headers as Record<string, string>);
  await finalize();
  await finalize();
  return done;
}

const cases = Object.keys(places).flatMap((place) => people.map((by) => [place, by] as const));

describe.each(cases)('uploads to %s by %s', (place, by) => {
  beforeAll(async () => void (scene = await sceneIn(place)));

  test.each([
    ['2025-09', firstShapes],
    ['2026-04', newerShapes],
  ])('a client of %s makes an asset available by one PUT, and again when it is', async (_, shapes) => {
    const file = fileOf(300_000);
    const first = await uploadAtOnce(by, shapes, file);
    expect(first.result).toBe('Created');
    expect(await stored(by, first.assetId)).toEqual({ status: 'Available', bytes: file.bytes });
    expect(await uploadAtOnce(by, shapes, file)).toEqual({ ...first, result: 'AssetAlreadyExists' });
    expect(await stored(by, first.assetId)).toEqual({ status: 'Available', bytes: file.bytes });
  });

  test('a client of 2026-08 puts to the verified URL and finalizes twice, and leaves out what is there', async () => {
    const file = fileOf(300_000);
    const upload = ['IssueAssetUploadUrl', 'FinalizeAssetUpload', 'FinalizeAssetUpload'];
    const { assetId, calls } = await uploadVerified(by, file, place);
    expect(calls).toEqual(['CreateAsset', ...upload]);
    expect(await stored(by, assetId)).toEqual({ status: 'Available', bytes: file.bytes });
    expect((await uploadVerified(by, file, place)).calls).toEqual(['CreateAsset', 'GetAssetDetails']);
  });

  test('a client of 2026-08 uploads what an earlier one has only announced', async () => {
    const file = fileOf(1_000);
    await callerOf(by, newerShapes)('repositories_CreateAsset', announced(file));
    const { assetId, calls } = await uploadVerified(by, file, place);
    expect(calls.slice(0, 4)).toEqual([
      'CreateAsset',
      'GetAssetDetails',
      'FinalizeAssetUpload',
      'IssueAssetUploadUrl',
    ]);
    expect(await stored(by, assetId)).toEqual({ status: 'Available', bytes: file.bytes });
  });
});
