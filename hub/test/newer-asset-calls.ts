import { createHash } from 'node:crypto';
import { newRawId } from '../src/auth/random.ts';
import type { Scene } from './generation-scene.ts';
import type { Calls, Case } from './newer-client-calls.ts';

const people = ['HTTP', 'command line'] as const;

type Step = NonNullable<Case['before']>[number];

const ofRepository = ({ catalogue: { repositoryId } }: Scene) => ({ repositoryId });
const ofAsset = ({ catalogue: { assetId } }: Scene) => ({ assetId });
const announced = (scene: Scene, name: string) => ({
  ...ofRepository(scene),
  size: 9,
  digest: `sha256_${createHash('sha256').update(name).digest('hex')}`,
});

const storeOf = ({ objectStore: { endpoint, bucket, accessKeyId, secretAccessKey } }: Scene) => ({
  endpoint,
  bucket,
  accessKeyId,
  secretAccessKey,
});
const newerStore = (scene: Scene) => ({ ...ofRepository(scene), s3Config: storeOf(scene) });
const firstStore = (scene: Scene) => {
  const { endpoint, bucket, accessKeyId, secretAccessKey } = storeOf(scene);
  return {
    ...ofRepository(scene),
    s3Endpoint: endpoint,
    s3Bucket: bucket,
    s3AccessKeyId: accessKeyId,
    s3SecretAccessKey: secretAccessKey,
  };
};
const setStore: Step = (scene) => ['repositories_SetS3Config', newerStore(scene)];
const byOwner = (...before: readonly Step[]) => ({ before, beforeBy: 'HTTP' }) as const;

/** The calls about assets and their stores; see `newerCalls`. */
export const newerAssetCalls: Readonly<Record<string, Calls>> = {
  repositories_SetS3Config: {
    by: people,
    cases: [
      { input: newerStore },
      {
        ...byOwner(setStore),
        input: (scene) => {
          const { endpoint, bucket, accessKeyId } = storeOf(scene);
          const s3Config = {
            endpoint,
            bucket,
            region: 'eu-1',
            prefix: 'a',
            forcePathStyle: true,
            accessKeyId,
          };
          return { ...ofRepository(scene), s3Config };
        },
      },
    ],
  },
  repositories_GetS3Config: { by: people, cases: [{ ...byOwner(setStore), input: ofRepository }] },
  repositories_QueryAssets: { by: people, cases: [{ input: ofRepository }] },
  repositories_GetAssetDetails: { by: people, cases: [{ input: ofAsset }] },
  repositories_CreateAsset: {
    by: people,
    cases: [
      { input: (scene) => announced(scene, newRawId()), result: 'Created' },
      {
        ...byOwner((scene) => ['repositories_CreateAsset', announced(scene, 'known')]),
        input: (scene) => announced(scene, 'known'),
        result: 'AssetAlreadyExists',
      },
    ],
  },
  repositories_IssueAssetUploadUrl: { by: people, cases: [{ input: ofAsset }] },
  repositories_FinalizeAssetUpload: { by: people, cases: [{ input: ofAsset }] },
  repositories_IssueAssetDownloadUrl: {
    by: [...people, 'agent'],
    cases: [{ input: ofAsset }, { input: (scene) => ({ ...ofAsset(scene), filename: 'it is.bin' }) }],
  },
  repositories_DeleteAsset: {
    by: people,
    cases: [
      {
        ...byOwner(
          ({ catalogue: { packageId } }) => ['repositories_RemovePackageAsset', { packageId, filename: 'x' }],
          ({ catalogue: { versionId } }) => ['repositories_RemoveVersionAsset', { versionId, filename: 'x' }],
        ),
        input: ofAsset,
      },
    ],
  },
};

/** The calls of the clients of 2025 that newer ones make by another action. */
export const firstAssetCalls: Readonly<Record<string, Calls>> = {
  repositories_SetRepositoryS3Config: {
    by: people,
    cases: [
      { input: firstStore },
      { input: (scene) => ({ ...firstStore(scene), s3Region: 'eu-1', s3Prefix: 'a' }) },
    ],
  },
  repositories_GetRepositoryS3Config: {
    by: people,
    cases: [{ input: ofRepository }, { ...byOwner(setStore), input: ofRepository }],
  },
};
