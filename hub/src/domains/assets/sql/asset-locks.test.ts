import { randomBytes } from 'node:crypto';
import { ids } from '@corral/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshExecutor, type FreshExecutor } from '../../../../test/fresh-executor.ts';
import { seedPackage, seedRepository, seedVersion } from '../../../../test/seed-repository.ts';
import { storageKey } from '../storage/storage-key.ts';
import { newRawId } from '../../../auth/random.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { createAsset } from './asset-creation.ts';
import { beginUpload, completeUploads, extendUploadUrl } from './asset-uploads.ts';

const rounds = 60;
const assetsAtOnce = 40;

let hub: FreshExecutor;
beforeAll(async () => void (hub = await freshExecutor()));
afterAll(() => hub[Symbol.asyncDispose]());

const inTransaction = <Answer>(work: (tx: Database) => Promise<Answer>): Promise<Answer> =>
  hub.database.db.transaction().execute(work);

test('statements that lock the same assets at the same time never wait for each other in a circle', async () => {
  const repository = await seedRepository(hub);
  const repositoryId = ids.repository.raw(repository.repositoryId);
  const packageId = await seedPackage(hub, repository);
  const digests = Array.from({ length: assetsAtOnce }, () => randomBytes(32));
  const now = hub.now();
  const create = () =>
    Promise.all(
      digests.map((digest) =>
        inTransaction((tx) =>
          createAsset(tx, {
            assetId: newRawId(),
            repositoryId,
            size: 1,
            digest,
            key: storageKey('', repositoryId, digest),
            now,
          }),
        ),
      ),
    );
  const assetIds = (await create()).map((asset) => asset?.asset_id ?? '');
  const onEach = (work: (tx: Database, assetId: string) => Promise<unknown>) =>
    Promise.all(assetIds.map((assetId) => inTransaction((tx) => work(tx, assetId))));
  const lease = { leaseId: newRawId(), nodeId: undefined, now };
  const completions = assetIds.map((assetId) => ({
    assetId,
    chunkDigests: undefined,
    storageStatus: 'Verified' as const,
  }));
  const versionWithAll = async () => {
    const versionId = await seedVersion(hub, repository.owner, packageId);
    await sql`
      insert into version_assets (version_id, filename, asset_id, metadata, added_at)
      select ${ids.packageVersion.raw(versionId)}, a, a, '{}', ${now} from unnest(${assetIds}::text[]) as a`.execute(
      hub.database.db,
    );
    return versionId;
  };
  for (let round = 0; round < rounds; round += 1) {
    const versionId = await versionWithAll();
    await Promise.all([
      create(),
      inTransaction((tx) => completeUploads(tx, completions, now)),
      onEach((tx, assetId) => extendUploadUrl(tx, { assetId, expiresAt: now, now })),
      onEach((tx, assetId) => beginUpload(tx, { ...lease, assetId })),
      hub.as(repository.owner, 'repositories_DeletePackageVersion', { versionId }),
    ]);
  }
  const found = await hub.database.db.selectFrom('assets').select('status').execute();
  expect(found.map(({ status }) => status)).toEqual(digests.map(() => 'Available'));
});
