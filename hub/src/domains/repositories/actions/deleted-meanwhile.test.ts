import { ids, type ActionName } from '@corral/contract';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { freshExecutor, type FreshExecutor } from '../../../../test/fresh-executor.ts';
import { seedCatalogue, type Catalogue } from '../../../../test/seed-repository.ts';

let hub: FreshExecutor;
beforeAll(async () => void (hub = await freshExecutor()));
afterAll(() => hub[Symbol.asyncDispose]());

const repositoryRow = ({ repositoryId }: Catalogue) =>
  sql`delete from repositories where repository_id = ${ids.repository.raw(repositoryId)}`;
const packageRow = ({ packageId }: Catalogue) =>
  sql`delete from packages where package_id = ${ids.package.raw(packageId)}`;
const versionRow = ({ versionId }: Catalogue) =>
  sql`delete from package_versions where version_id = ${ids.packageVersion.raw(versionId)}`;

test.each([
  ['repositories_SetSlug', 'slug', 'new-name', repositoryRow, 'Repository not found.'],
  ['repositories_SetDisplayName', 'displayName', 'new-name', repositoryRow, 'Repository not found.'],
  ['repositories_SetPackageName', 'name', 'new-name', packageRow, 'Package not found.'],
  ['repositories_SetPackageKind', 'kind', 'rugix', packageRow, 'Package not found.'],
  ['repositories_SetPackageMetadata', 'metadata', {}, packageRow, 'Package not found.'],
  ['repositories_SetVersionMetadata', 'metadata', {}, versionRow, 'Version not found.'],
] as const)(
  '%s is refused, and logs nothing, for what is deleted meanwhile',
  async (name, key, value, remove, message) => {
    const catalogue = await seedCatalogue(hub);
    const { owner, repositoryId, packageId, versionId } = catalogue;
    const idOf = { Slug: { repositoryId }, DisplayName: { repositoryId }, VersionMetadata: { versionId } };
    const id = idOf[name.slice('repositories_Set'.length) as keyof typeof idOf] ?? { packageId };
    hub.emittedEvents.length = 0;
    const [change] = await hub.database.db.transaction().execute(async (tx) => {
      await remove(catalogue).execute(tx);
      const started = hub.refusal(owner, name as ActionName, { ...id, [key]: value } as never);
      await vi.waitFor(async () => expect(await countWaiting()).toBe(1));
      return [started];
    });
    expect(await change).toMatchObject({ kind: 'Invalid', message });
    expect(hub.emittedEvents).toEqual([]);
  },
);

/** How many statements of the database wait for a lock. */
async function countWaiting(): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(hub.database.db);
  return rows[0]?.count ?? 0;
}
