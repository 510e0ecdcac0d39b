import { ids, type ActionName, type Actor, type CallInput, type Id } from '@corral/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { freshExecutor, type FreshExecutor } from '../../../../test/fresh-executor.ts';
import { mostRowsOf } from '../../../../test/plan-rows.ts';
import { recordStatements } from '../../../../test/recorded-statements.ts';
import { insertInBulk, seedLargeCatalogue } from '../../../../test/seed-large-catalogue.ts';
import { seedRepository, seedPackage, type SeededRepository } from '../../../../test/seed-repository.ts';
import { seedMember, seedProject, seedUser, type Somebody } from '../../../../test/seed.ts';
import { CleanupInactiveClusterNodes } from '../../instance/internal/CleanupInactiveClusterNodes.ts';
import { justProved } from '../../../../test/just-proved.ts';

const many = 100_000;

let hub: FreshExecutor;
let repository: SeededRepository;
let packageId: Id<'package'>;
/** A member of 100,000 repositories. */
let collector: Somebody;
/** A member of a project that is linked to 1,000 of them. */
let reader: Somebody;
let projectId: Id<'project'>;

beforeAll(async () => {
  hub = await freshExecutor();
  repository = await seedRepository(hub, { name: 'large' });
  await seedLargeCatalogue(hub.database.db, repository.repositoryId, {
    packages: 1000,
    versions: 100,
    files: 3,
  });
  packageId = await seedPackage(hub, repository, 'one');
  collector = await seedUser(hub, 'collector@example.org');
  const project = await seedProject(hub);
  ({ projectId } = project);
  reader = await seedMember(hub, project);
  await seedRows();
}, 300_000);
afterAll(() => hub[Symbol.asyncDispose]());

async function seedRows(): Promise<void> {
  const { db } = hub.database;
  const [ofRepository, ofPackage] = [ids.repository.raw(repository.repositoryId), ids.package.raw(packageId)];
  const id = (tag: string) => sql`rpad(${sql.lit(tag)} || i, 22, 'y')`;
  const numbers = sql`generate_series(1, ${sql.lit(many)}) i`;
  await insertInBulk(db, {
    async counted(tx) {
      await sql`insert into packages (package_id, repository_id, name, kind, created_at)
        select ${id('p')}, ${ofRepository}, (array['Boot-', 'boot-'])[i % 2 + 1] || i, (array['deb', null])[i % 2 + 1], now() from ${numbers}`.execute(
        tx,
      );
      await sql`insert into package_versions (version_id, package_id, repository_id, name, metadata, created_at)
        select ${id('v')}, ${ofPackage}, ${ofRepository}, case when i % 2 = 0 then '1.' || i / 4 end, '{}', now() - i / 3 * interval '1 s'
        from ${numbers}`.execute(tx);
      await sql`insert into repositories (repository_id, name, visibility, created_at)
        select ${id('r')}, (array['Site ', 'site '])[i % 2 + 1] || i, 'Private', now() from ${numbers}`.execute(
        tx,
      );
    },
    async referring(tx) {
      await sql`insert into package_tags (package_id, tag, version_id, locked, tagged_at)
        select ${ofPackage}, 'v' || i, ${id('v')}, true, now() from ${numbers}`.execute(tx);
      await sql`insert into package_tag_moves (package_id, tag, moved_at, move_id, from_version_id, to_version_id, locked, actor)
        select ${ofPackage}, 'channel-' || i % 10, now() - i / 3 * interval '1 s', ${id('m')}, null, ${id('v')}, false,
          ${JSON.stringify(collector)} from ${numbers}`.execute(tx);
      await sql`insert into repository_members (repository_id, user_id, is_owner, added_at)
        select ${id('r')}, ${ids.user.raw(collector.userId)}, i % 2 = 0, now() from ${numbers}`.execute(tx);
      await sql`insert into project_repositories (project_id, repository_id, linked_at)
        select ${ids.project.raw(projectId)}, ${id('r')}, now() from generate_series(100, ${sql.lit(many)}, 100) i`.execute(
        tx,
      );
    },
  });
  await sql`analyze`.execute(db);
}

interface List {
  readonly name: ActionName;
  readonly by: () => Actor;
  readonly input: () => object;
  /** What its statements contain. */
  readonly reads: string;
  /** The most rows that a node of a plan may read for a page of 100. */
  readonly mostRows?: number;
}

const ofOwner = () => repository.owner;
const lists: Record<string, List> = {
  'packages of a repository': {
    name: 'repositories_QueryRepositoryPackages',
    by: ofOwner,
    input: () => ({ repositoryId: repository.repositoryId }),
    reads: 'from packages p',
  },
  ...Object.fromEntries(
    (['newest', '-newest', 'published', '-published', 'kind', '-kind', 'versions', '-versions'] as const).map(
      (order) => [
        `packages of a repository by ${order}`,
        {
          name: 'repositories_QueryRepositoryPackages',
          by: ofOwner,
          input: () => ({ repositoryId: repository.repositoryId, order }),
          reads: 'from packages p',
        } satisfies List,
      ],
    ),
  ),
  ...Object.fromEntries(
    (['-createdAt', 'digest', '-digest', 'size', '-size', 'status', '-status', 'uses', '-uses'] as const).map(
      (order) => [
        `assets of a repository by ${order}`,
        {
          name: 'repositories_QueryRepositoryAssets',
          by: ofOwner,
          input: () => ({ repositoryId: repository.repositoryId, order }),
          reads: 'from assets a',
        } satisfies List,
      ],
    ),
  ),
  'versions of a package': {
    name: 'repositories_QueryPackageVersions',
    by: ofOwner,
    input: () => ({ packageId }),
    reads: 'from package_versions v',
  },
  ...Object.fromEntries(
    (['name', '-name', 'createdAt'] as const).map((order) => [
      `versions of a package by ${order}`,
      {
        name: 'repositories_QueryPackageVersions',
        by: ofOwner,
        input: () => ({ packageId, order }),
        reads: 'from package_versions v',
      } satisfies List,
    ]),
  ),
  'history of all tags': {
    name: 'repositories_QueryTagHistory',
    by: ofOwner,
    input: () => ({ packageId }),
    reads: 'from package_tag_moves m',
  },
  'history of a tag': {
    name: 'repositories_QueryTagHistory',
    by: ofOwner,
    input: () => ({ packageId, tag: 'channel-3' }),
    reads: 'from package_tag_moves m',
  },
  'repositories of a member of many': {
    name: 'users_QueryUserRepositories',
    by: () => collector,
    input: () => ({ userId: collector.userId }),
    reads: '"repositories" "r"',
    mostRows: 5_000,
  },
  'repositories that a member of many may read': {
    name: 'users_QueryUserRepositories',
    by: () => collector,
    input: () => ({ userId: collector.userId, includeLinked: true }),
    reads: '"repositories" "r"',
    mostRows: 5_000,
  },
  'repositories that a project of a user reads': {
    name: 'users_QueryUserRepositories',
    by: () => reader,
    input: () => ({ userId: reader.userId, includeLinked: true }),
    reads: 'repositories r',
    mostRows: 10_000,
  },
  'repositories of a project': {
    name: 'projects_QueryProjectRepositories',
    by: () => reader,
    input: () => ({ projectId }),
    reads: 'repositories r',
    mostRows: 1_001,
  },
};

describe.each(Object.entries(lists))('%s', (_what, { name, by, input, reads, mostRows = 600 }) => {
  const page = async (more: object) =>
    (await hub.executor.execute({ actor: by(), origin: justProved }, name, { ...input(), ...more })) as {
      next?: string;
    };

  test('a page, the first or a later one, reads about its own rows', async () => {
    const { next: after } = await page({ limit: 300 });
    using recorded = recordStatements();
    await page({ limit: 100 });
    await page({ limit: 100, after });
    const statements = recorded.containing(reads);
    expect(statements.length).toBeGreaterThanOrEqual(2);
    for (const statement of statements) {
      const most = await mostRowsOf(hub.database.db, statement);
      expect(most, statement.text).toBeLessThanOrEqual(mostRows);
    }
  });
});

test('versions by name go on by index where those without a name begin, and tags are searched once for all versions', async () => {
  const { db } = hub.database;
  const list = (more: Partial<CallInput<'repositories_QueryPackageVersions'>>) =>
    hub.as(repository.owner, 'repositories_QueryPackageVersions', { packageId, ...more });
  const named = many / 2;
  let after: string | undefined;
  for (let read = 0; read < named - 50;) {
    const page = await list({
      order: '-name',
      limit: Math.min(10_000, named - 50 - read),
      ...(after && { after }),
    });
    read += page.versions.length;
    after = page.next;
  }
  {
    using recorded = recordStatements();
    const { versions } = await list({ order: '-name', limit: 100, ...(after && { after }) });
    const hasName = versions.map(({ name }) => name !== undefined);
    expect(hasName).toEqual(Array.from({ length: 100 }, (_, index) => index < 50));
    const statements = recorded.containing('from package_versions v');
    expect(statements).toHaveLength(2);
    for (const statement of statements)
      expect(await mostRowsOf(db, statement), statement.text).toBeLessThanOrEqual(600);
  }
  using recorded = recordStatements();
  const { versions } = await list({ search: `V${many}` });
  expect(versions.map(({ tags }) => tags)).toEqual([[{ tag: `v${many}`, locked: true }]]);
  // The tags of the other packages are read beside them.
  for (const statement of recorded.containing('from package_versions v'))
    expect(await mostRowsOf(db, statement), statement.text).toBeLessThanOrEqual(2 * many);
});

test('packages by newest version go on by index where those without a version begin', async () => {
  const input = { repositoryId: repository.repositoryId, order: '-published' } as const;
  const before = await hub.as(repository.owner, 'repositories_QueryRepositoryPackages', {
    ...input,
    limit: 950,
  });
  const after = before.next ?? '';
  using recorded = recordStatements();
  const { packages } = await hub.as(repository.owner, 'repositories_QueryRepositoryPackages', {
    ...input,
    limit: 100,
    after,
  });
  const hasVersion = packages.map(({ newestVersion }) => newestVersion !== undefined);
  expect(hasVersion).toEqual(Array.from({ length: 100 }, (_, index) => index < 51));
  const statements = recorded.containing('from packages p');
  expect(statements).toHaveLength(2);
  for (const statement of statements)
    expect(await mostRowsOf(hub.database.db, statement), statement.text).toBeLessThanOrEqual(600);
});

test('all rows of each list are read once, in order', async () => {
  const seen = new Set<string>();
  let rows = 0;
  for (let after: string | undefined; ;) {
    const more = after === undefined ? {} : { after };
    const read = await hub.as(collector, 'users_QueryUserRepositories', {
      userId: collector.userId,
      includeLinked: true,
      ...more,
    });
    for (const { repositoryId, isMember } of read.repositories) {
      expect(isMember).toBe(true);
      seen.add(repositoryId);
    }
    rows += read.repositories.length;
    after = read.next;
    if (after === undefined) break;
  }
  expect([rows, seen.size]).toEqual([many, many]);
  const linked = await hub.as(reader, 'users_QueryUserRepositories', {
    userId: reader.userId,
    includeLinked: true,
  });
  expect(linked.repositories).toHaveLength(many / 100);
  expect(linked.repositories.every(({ isMember, isOwner }) => !isMember && !isOwner)).toBe(true);
});

describe('a path among 1,000 packages with 100 versions with 3 files', () => {
  test.each(['stable', 'v50', 'stable~7', 'stable@2026-09-01', 'stable@2999-01-01'])(
    'by %s is found by index',
    async (tag) => {
      const path = { repository: 'large', package: 'package-700', tag, filename: 'file-2' };
      using recorded = recordStatements();
      const answer = await hub.as(repository.owner, 'repositories_ResolvePackageVersionAssetByPath', path);
      expect(answer.result).toBe(tag.includes('2026') ? 'NotFound' : 'Found');
      const [statement] = recorded.containing('join version_assets');
      if (statement === undefined) throw new Error('The statement was not recorded.');
      expect(await mostRowsOf(hub.database.db, statement)).toBeLessThanOrEqual(10);
    },
  );
});

test('the counts of a repository are those of its rows, before and after they are folded', async () => {
  const details = () =>
    hub.as(repository.owner, 'repositories_GetRepositoryDetails', { repositoryId: repository.repositoryId });
  const { rows } = await sql<{ packages: number; assets: number; bytes: number }>`
    select (select count(*) from packages where repository_id = ${ids.repository.raw(repository.repositoryId)}) as packages,
      count(*) as assets, sum(size)::bigint as bytes from assets`.execute(hub.database.db);
  const counted = {
    packageCount: rows[0]?.packages,
    assetCount: rows[0]?.assets,
    usedBytes: rows[0]?.bytes,
  };
  expect(await details()).toMatchObject(counted);
  await hub.run(CleanupInactiveClusterNodes);
  expect(await details()).toMatchObject(counted);
  const left = await sql`select 1 from repository_count_changes`.execute(hub.database.db);
  expect(left.rows).toEqual([]);
  const found = await hub.as(repository.owner, 'repositories_GetPackageDetails', { packageId });
  expect(found.versionCount).toBe(many);
});
