import { randomBytes } from 'node:crypto';
import type { ActionError, Actor, Output } from '@corral/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { absentId, freshExecutor, system, type FreshExecutor } from '../../../../test/fresh-executor.ts';
import { seedRepository, type SeededRepository } from '../../../../test/seed-repository.ts';

type Created = Output<'repositories_CreateAsset'>;

let hub: FreshExecutor;
beforeAll(async () => void (hub = await freshExecutor()));
afterAll(() => hub[Symbol.asyncDispose]());

const newDigest = (): string => `sha256_${randomBytes(32).toString('hex')}`;

function create(
  { repositoryId, owner }: Pick<SeededRepository, 'repositoryId'> & { readonly owner: Actor },
  digest: string,
  size = 100,
): Promise<Created | ActionError> {
  return hub
    .as(owner, 'repositories_CreateAsset', { repositoryId, size, digest })
    .catch((error: unknown) => error as ActionError);
}

const wasCreated = (answer: Created | ActionError): boolean =>
  'result' in answer && answer.result === 'Created';

test('of equal assets that are created at once the first is new', async () => {
  const repository = await seedRepository(hub);
  const digest = newDigest();
  const answers = await Promise.all(Array.from({ length: 20 }, () => create(repository, digest)));
  expect(answers.filter(wasCreated).length).toBe(1);
  expect(new Set(answers.map((answer) => 'assetId' in answer && answer.assetId)).size).toBe(1);
});

test('another size for known bytes, and a repository that one does not see, are refused', async () => {
  const repository = await seedRepository(hub);
  const stranger = { ...repository, owner: (await seedRepository(hub)).owner };
  const digest = newDigest();
  await create(repository, digest);
  const hidden = { message: expect.stringMatching(/^Repository /) };
  expect(await create(repository, digest, 101)).toMatchObject({ message: expect.stringMatching(/not 101;/) });
  expect(await create(stranger, newDigest())).toMatchObject(hidden);
  const absent = { ...repository, repositoryId: absentId('repository') };
  expect(await create(absent, newDigest())).toMatchObject(hidden);
});

test('exactly as many are created at once as the quota allows', async () => {
  const repository = await seedRepository(hub);
  const { repositoryId } = repository;
  await hub.as(system, 'repositories_SetQuota', { repositoryId, maxAssets: 5 });
  const answers = await Promise.all(Array.from({ length: 12 }, () => create(repository, newDigest())));
  expect(answers.filter(wasCreated).length).toBe(5);
  const { assetCount } = await hub.as(repository.owner, 'repositories_GetRepositoryDetails', {
    repositoryId,
  });
  expect(assetCount).toBe(5);
});
