import { actions, type ActionName, type Actor, type Id } from '@corral/contract';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshExecutor, system, type FreshExecutor } from '../../../../test/fresh-executor.ts';
import { idFieldsOf, nameKinds } from '../../../../test/id-fields.ts';
import { sampleInput, type NamedThings } from '../../../../test/sample-inputs.ts';
import { absentName } from '../../../../test/two-projects.ts';
import { seedUser, type Somebody } from '../../../../test/seed.ts';
import {
  seedAsset,
  seedPackage,
  seedRepository,
  seedVersion,
  type SeededRepository,
} from '../../../../test/seed-repository.ts';
import { ResolvePublicFile } from '../../packages/internal/ResolvePublicFile.ts';
import { justProved } from '../../../../test/just-proved.ts';

let hub: FreshExecutor;
beforeAll(async () => {
  hub = await freshExecutor();
});
afterAll(() => hub[Symbol.asyncDispose]());

/** A public repository whose package `fw` has the file `app.bin` under the locked tag `prod`, and a version beside it. */
interface Scene extends SeededRepository {
  readonly member: Somebody;
  readonly packageId: Id<'package'>;
  readonly versionId: Id<'packageVersion'>;
  readonly assetId: Id<'asset'>;
  readonly otherVersionId: Id<'packageVersion'>;
  readonly otherAssetId: Id<'asset'>;
}

async function lockedScene(): Promise<Scene> {
  const repository = await seedRepository(hub, { visibility: 'Public' });
  const { owner, repositoryId } = repository;
  const member = await seedUser(hub, `member-of-${repositoryId}@example.org`);
  const { userId } = member;
  await hub.as(system, 'repositories_AddRepositoryMember', { repositoryId, userId, isOwner: false });
  const packageId = await seedPackage(hub, repository, 'fw');
  const versionId = await seedVersion(hub, owner, packageId);
  const otherVersionId = await seedVersion(hub, owner, packageId);
  const assetId = await seedAsset(hub, repository);
  const otherAssetId = await seedAsset(hub, repository);
  await hub.as(owner, 'repositories_AddPackageVersionAsset', { versionId, assetId, filename: 'app.bin' });
  await hub.as(owner, 'repositories_AddPackageAsset', { packageId, assetId, filename: 'app.bin' });
  await hub.as(owner, 'repositories_TagPackageVersion', { versionId, tags: [{ tag: 'prod', locked: true }] });
  return { ...repository, member, packageId, versionId, assetId, otherVersionId, otherAssetId };
}

/** What an owner and a member get; `gone` is a success after which the path answers 404. */
type Outcome = 'done' | 'gone' | 'refused';
interface Attempt {
  readonly owner: Outcome;
  /** By default as the owner. */
  readonly member?: Outcome;
  readonly set?: (scene: Scene) => Readonly<Record<string, unknown>>;
}

const ownersOnly = { owner: 'done', member: 'refused' } as const;
const refused: Attempt = { owner: 'refused' };
const done = { owner: 'done' } as const;
const file = () => ({ filename: 'app.bin' });

/** What commands on a repository, package, version, tag, file or asset do; all others are refused. */
const attempts: Partial<Record<ActionName, Attempt>> = {
  repositories_CreateRepository: { owner: 'done', set: ({ name }) => ({ name: `${name} beside` }) },
  repositories_DeleteRepository: { owner: 'gone', member: 'refused' },
  repositories_SetDisplayName: {
    owner: 'gone',
    member: 'refused',
    set: ({ name }) => ({ displayName: `${name} old` }),
  },
  repositories_SetSlug: { owner: 'gone', member: 'refused', set: ({ name }) => ({ slug: `${name} old` }) },
  repositories_SetRepositoryVisibility: {
    owner: 'gone',
    member: 'refused',
    set: () => ({ visibility: 'Private' }),
  },
  repositories_SetRepositoryMemberRole: {
    ...ownersOnly,
    set: ({ member }) => ({ userId: member.userId, isOwner: true }),
  },
  repositories_RemoveRepositoryMember: { ...done, set: ({ member }) => ({ userId: member.userId }) },
  repositories_InviteRepositoryMember: ownersOnly,
  repositories_CreateRepositoryServiceAccount: ownersOnly,
  repositories_CreatePackage: { ...refused, set: () => ({ name: 'fw' }) },
  repositories_SetPackageName: { ...refused, set: () => ({ name: 'fw-old' }) },
  repositories_SetPackageKind: { ...done, set: () => ({ kind: 'rugix' }) },
  repositories_SetPackageMetadata: done,
  repositories_CreatePackageVersion: { ...refused, set: () => ({ tags: [{ tag: 'prod' }] }) },
  repositories_SetVersionName: { ...done, set: () => ({ name: 'withdrawn' }) },
  repositories_SetVersionMetadata: done,
  repositories_TagPackageVersion: {
    ...refused,
    set: ({ otherVersionId }) => ({ versionId: otherVersionId, tags: [{ tag: 'prod', reassign: true }] }),
  },
  repositories_UntagPackageVersion: { ...refused, set: () => ({ tags: [{ tag: 'prod' }] }) },
  repositories_AddPackageVersionAsset: {
    ...refused,
    set: ({ otherAssetId }) => ({ ...file(), assetId: otherAssetId }),
  },
  repositories_RemovePackageVersionAsset: { ...refused, set: file },
  repositories_SetVersionAssetMetadata: { ...done, set: file },
  repositories_AddPackageAsset: done,
  repositories_RemovePackageAsset: { ...done, set: file },
  repositories_SetPackageAssetMetadata: { ...done, set: file },
  repositories_CreateAsset: done,
  repositories_IssueAssetUploadUrl: done,
  repositories_FinalizeAssetUpload: done,
  repositories_IssueAssetDownloadUrl: done,
  repositories_RetryAssetCheck: done,
  repositories_SetRepositoryS3Config: ownersOnly,
  repositories_SetS3Config: ownersOnly,
  repositories_RemoveS3Config: ownersOnly,
};

const inRepositories = new Set(['repository', 'repositoryInvitation', 'package', 'packageVersion', 'asset']);
const commands = (Object.keys(actions) as ActionName[]).filter(
  (name) =>
    actions[name].kind === 'command' &&
    (name === 'repositories_CreateRepository' ||
      idFieldsOf(name).some(({ kind }) => inRepositories.has(kind))),
);

const inputOf = (name: ActionName, scene: Scene): unknown => {
  const { repositoryId, packageId, versionId, assetId, owner } = scene;
  const absent = Object.fromEntries(nameKinds.map((kind) => [kind, absentName(kind)])) as NamedThings;
  const things = {
    ...absent,
    repository: repositoryId,
    package: packageId,
    packageVersion: versionId,
    asset: assetId,
    user: owner.userId,
  };
  return sampleInput(name, things, hub.now(), attempts[name]?.set?.(scene));
};

/** Whether a call succeeded; that a name is taken already is a refusal, too. */
async function call(actor: Actor, name: ActionName, input: unknown): Promise<'done' | 'refused'> {
  try {
    const answer = (await hub.executor.execute({ actor, origin: justProved }, name, input)) as {
      result?: string;
    };
    return answer.result?.endsWith('AlreadyExists') === true ? 'refused' : 'done';
  } catch {
    return 'refused';
  }
}

const assetAt = async ({ name: repository }: Scene): Promise<string | undefined> => {
  const path = { repository, package: 'fw', tag: 'prod', filename: 'app.bin' };
  const found = await hub.run(ResolvePublicFile, path);
  return found.result === 'Found' ? found.assetId : undefined;
};

/** Puts other bytes at the path of a scene in each way that there is to take its names. */
async function takePath(scene: Scene): Promise<void> {
  const stranger = await seedUser(hub, `stranger-to-${scene.repositoryId}-${(strangers += 1)}@example.org`);
  for (const by of [stranger, scene.member, scene.owner]) {
    const create = { name: scene.name, visibility: 'Public' };
    await call(by, 'repositories_CreateRepository', create);
    const own = await seedRepository(hub, { owner: by, visibility: 'Public' });
    await call(by, 'repositories_SetSlug', { repositoryId: own.repositoryId, slug: scene.name });
    await call(by, 'repositories_SetDisplayName', {
      repositoryId: own.repositoryId,
      displayName: scene.name,
    });
    const now = await hub.as(by, 'repositories_ResolveRepositoryName', { repository: scene.name });
    if (now.result === 'Found') await publishOther(by, now.repositoryId);
  }
}
let strangers = 0;

async function publishOther(by: Somebody, repositoryId: Id<'repository'>): Promise<void> {
  const repository = { repositoryId, owner: by, name: '' };
  const assetId = await seedAsset(hub, repository);
  await call(by, 'repositories_CreatePackage', { repositoryId, name: 'fw' });
  const other = `other-${(strangers += 1)}`;
  await call(by, 'repositories_CreatePackage', { repositoryId, name: other });
  for (const name of ['fw', other]) {
    const { packages } = await hub
      .as(by, 'repositories_QueryRepositoryPackages', { repositoryId, search: name })
      .catch(() => ({ packages: [] }));
    const packageId = packages.find((found) => found.name === name)?.packageId;
    const created = await hub.executor
      .execute({ actor: by, origin: justProved }, 'repositories_CreatePackageVersion', { packageId })
      .catch(() => undefined);
    const { versionId } = (created ?? {}) as { versionId?: string };
    await call(by, 'repositories_AddPackageVersionAsset', { versionId, assetId, filename: 'app.bin' });
    await call(by, 'repositories_TagPackageVersion', { versionId, tags: [{ tag: 'prod', locked: true }] });
    await call(by, 'repositories_SetPackageName', { packageId, name: 'fw' });
  }
}

test.each(commands)('after %s nothing puts other bytes at the path of a locked tag', async (name) => {
  const { owner: ofOwner, member: ofMember = ofOwner } = attempts[name] ?? refused;
  const scene = await lockedScene();
  for (const [by, outcome] of [
    [scene.member, ofMember],
    [scene.owner, ofOwner],
  ] as const) {
    expect(await call(by, name, inputOf(name, scene)), by === scene.owner ? 'owner' : 'member').toBe(
      outcome === 'refused' ? 'refused' : 'done',
    );
    await takePath(scene);
    expect(await assetAt(scene)).toBe(outcome === 'gone' ? undefined : scene.assetId);
    if (outcome === 'done') break;
  }
});
