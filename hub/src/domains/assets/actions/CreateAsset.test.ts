import { randomBytes } from 'node:crypto';
import { ActionError, ids, type Actor, type Output } from '@corral/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { absentId, freshExecutor, system, type FreshExecutor } from '../../../../test/fresh-executor.ts';
import { seedRepository, type SeededRepository } from '../../../../test/seed-repository.ts';

type Created = Output<'repositories_CreateAsset'>;

let hub: FreshExecutor;
beforeAll(async () => void (hub = await freshExecutor()));
afterAll(() => hub[Symbol.asyncDispose]());

const newDigest = (): string => `sha256_${randomBytes(32).toString('hex')}`;
const digests = (count: number): string[] => Array.from({ length: count }, newDigest);

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

/** How many commands ended in each way, and how many assets were announced, since they were forgotten. */
async function recorded() {
  const { db } = hub.database;
  const actions = await db
    .selectFrom('audit_actions')
    .select(['status', (of) => of.fn.countAll<number>().as('count')])
    .where('action', '=', 'repositories_CreateAsset')
    .groupBy('status')
    .execute();
  const events = await db
    .selectFrom('audit_events as e')
    .innerJoin('audit_actions as a', 'a.action_id', 'e.action_id')
    .select((of) => of.fn.countAll<number>().as('count'))
    .where('e.event', '=', 'repositories_AssetCreated')
    .where('a.status', '=', 'Succeeded')
    .executeTakeFirstOrThrow();
  return { ...Object.fromEntries(actions.map(({ status, count }) => [status, count])), events: events.count };
}

test('of assets that are created at once each has its own row and event', async () => {
  const repository = await seedRepository(hub);
  const answers = await Promise.all(digests(40).map((digest) => create(repository, digest)));
  expect(answers.filter(wasCreated).length).toBe(40);
  expect(new Set(answers.map((answer) => 'assetId' in answer && answer.assetId)).size).toBe(40);
  expect(await recorded()).toEqual({ Succeeded: 40, events: 40 });
  expect(hub.emittedEvents.filter(({ name }) => name === 'repositories_AssetCreated').length).toBe(40);
});

test('of equal assets that are created at once the first is new', async () => {
  const repository = await seedRepository(hub);
  const [digest = ''] = digests(1);
  const answers = await Promise.all(Array.from({ length: 20 }, () => create(repository, digest)));
  expect(answers.filter(wasCreated).length).toBe(1);
  expect(new Set(answers.map((answer) => 'assetId' in answer && answer.assetId)).size).toBe(1);
});

test('one that is refused does not keep the others from being created', async () => {
  const repository = await seedRepository(hub);
  const stranger = { ...repository, owner: (await seedRepository(hub)).owner };
  const [known = '', ...others] = digests(20);
  await create(repository, known);
  const before = (await recorded()).events;
  const refused = [
    create(repository, known, 101),
    create(stranger, newDigest()),
    create({ ...repository, repositoryId: absentId('repository') }, newDigest()),
  ];
  const answers = await Promise.all([...others.map((digest) => create(repository, digest)), ...refused]);
  expect(answers.filter(wasCreated).length).toBe(others.length);
  const messages = (await Promise.all(refused)).map(
    (answer) => answer instanceof ActionError && answer.message,
  );
  const absent = expect.stringMatching(/^Repository /);
  expect(messages).toEqual([expect.stringMatching(/not 101;/), absent, absent]);
  expect(await recorded()).toMatchObject({ Failed: 3, events: before + others.length });
});

test('exactly as many are created at once as the quota allows', async () => {
  const repository = await seedRepository(hub);
  const { repositoryId } = repository;
  await hub.as(system, 'repositories_SetQuota', { repositoryId, maxAssets: 5 });
  const answers = await Promise.all(digests(12).map((digest) => create(repository, digest)));
  expect(answers.filter(wasCreated).length).toBe(5);
  const { assetCount } = await hub.as(repository.owner, 'repositories_GetRepositoryDetails', {
    repositoryId,
  });
  expect(assetCount).toBe(5);
});

test('one that waits for a lock holds up nobody else', async () => {
  const repository = await seedRepository(hub);
  const [held = '', ...others] = digests(10);
  const created = await create(repository, held);
  const assetId = 'assetId' in created ? ids.asset.raw(created.assetId) : '';
  let waiting: Promise<Created | ActionError> | undefined;
  await hub.database.db.transaction().execute(async (tx) => {
    await tx.selectFrom('assets').select('size').where('asset_id', '=', assetId).forUpdate().execute();
    waiting = create(repository, held);
    const answers = await Promise.all(others.map((digest) => create(repository, digest)));
    expect(answers.filter(wasCreated).length).toBe(others.length);
  });
  expect(await waiting).toMatchObject({ result: 'AssetAlreadyExists' });
});
