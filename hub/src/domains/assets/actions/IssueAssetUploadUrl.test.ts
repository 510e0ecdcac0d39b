import { randomBytes } from 'node:crypto';
import { ids, type Id } from '@corral/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshExecutor, type FreshExecutor } from '../../../../test/fresh-executor.ts';
import { recordStatements } from '../../../../test/recorded-statements.ts';
import { seedRepository, type SeededRepository } from '../../../../test/seed-repository.ts';

let hub: FreshExecutor;
let repository: SeededRepository;
beforeAll(async () => {
  hub = await freshExecutor();
  repository = await seedRepository(hub);
});
afterAll(() => hub[Symbol.asyncDispose]());

async function newAsset(): Promise<Id<'asset'>> {
  const { repositoryId, owner } = repository;
  const digest = `sha256_${randomBytes(32).toString('hex')}`;
  const created = await hub.as(owner, 'repositories_CreateAsset', { repositoryId, size: 100, digest });
  return created.assetId as Id<'asset'>;
}

const urlOf = (assetId: Id<'asset'>) =>
  hub.as(repository.owner, 'repositories_IssueAssetUploadUrl', { assetId });

async function recordedEnd(assetId: Id<'asset'>): Promise<number> {
  const { rows } = await sql<{ end: string }>`
    select upload_url_ends_at as end from assets where asset_id = ${ids.asset.raw(assetId)}`.execute(
    hub.database.db,
  );
  return Date.parse(rows[0]?.end ?? '');
}

test('until every URL of an asset has expired, that is recorded, without a write for the first one', async () => {
  await urlOf(await newAsset());
  const assetId = await newAsset();
  using statements = recordStatements();
  const first = await urlOf(assetId);
  expect(statements.containing('update assets').length).toBe(0);
  expect(await recordedEnd(assetId)).toBeGreaterThanOrEqual(Date.parse(first.expiresAt));
  hub.advance(120);
  const second = await urlOf(assetId);
  expect(Date.parse(second.expiresAt) - Date.parse(first.expiresAt)).toBe(120_000);
  expect(await recordedEnd(assetId)).toBeGreaterThanOrEqual(Date.parse(second.expiresAt));
});

test('the URL for an asset that is being deleted is refused', async () => {
  const assetId = await newAsset();
  await hub.as(repository.owner, 'repositories_DeleteAsset', { assetId });
  const refusal = await hub.refusal(repository.owner, 'repositories_IssueAssetUploadUrl', { assetId });
  expect(refusal.message).toMatch(/create it again/);
});
