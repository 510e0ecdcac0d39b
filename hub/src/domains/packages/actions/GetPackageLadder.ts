import { ids } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import type { Handler } from '../../../calls/handler.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { mustReadPackage, type PackageAccess } from '../../repositories/index.ts';
import { tagsOfVersion, type VersionTag } from '../sql/package-versions.ts';

const newestCount = 3;
/** A release has a locked tag of its own, so those that are shown are few; tags that move are what devices follow. */
const maxLocked = 3;
const maxMovable = 40;
/** Among how many of the newest versions those with a locked tag are looked for. */
const lockedAmong = 100;

interface Row {
  readonly version_id: string;
  readonly name: string | null;
  readonly created_at: string;
  readonly tags: readonly VersionTag[];
  readonly file_count: number;
  readonly total_bytes: number;
  readonly older_count: number;
  readonly older_id: string | null;
  readonly changed_files: number;
  readonly bytes_to_fetch: number;
}

/** Returns the newest and the tagged versions of a package, with what differs from one to the next. */
export const GetPackageLadder: Handler<'repositories_GetPackageLadder', PackageAccess> = {
  authorize: ({ tx, actor, input }) => mustReadPackage(tx, actor, input.packageId),

  async run({ tx }, { packageId }) {
    return { rungs: (await readRungs(tx, packageId)).map(toOutput) };
  },
};

/** Reads each version with the next of them. The versions between are counted by whole keys, so that one index has all. */
async function readRungs(tx: Database, packageId: string): Promise<Row[]> {
  const { rows } = await sql<Row>`
    with chosen as (${chosenVersions(packageId)}),
    rungs as materialized (
      select v.*, lead(v.version_id) over newest_first as older_id, lead(v.created_at) over newest_first as older_at
      from package_versions v where v.version_id in (select version_id from chosen)
      window newest_first as (order by v.created_at desc, v.version_id desc)
    )
    select v.version_id, v.name, v.created_at, v.older_id, ${tagsOfVersion} as tags, files.*, step.*, between_them.*
    from rungs v
    cross join lateral (
      select count(*) as older_count from package_versions b
      where (b.package_id, b.created_at, b.version_id) < (${packageId}, v.created_at, v.version_id)
        and (b.package_id, b.created_at, b.version_id) > (${packageId}, coalesce(v.older_at, '-infinity'), coalesce(v.older_id, ''))
    ) as between_them
    cross join lateral (
      select coalesce(sum(same_digest.files), 0)::bigint as file_count, coalesce(sum(same_digest.size), 0)::bigint as total_bytes,
        coalesce(sum(same_digest.size) filter (where not exists (
          select 1 from version_assets o join assets p using (asset_id)
          where o.version_id = v.older_id and p.digest = same_digest.digest)), 0)::bigint as bytes_to_fetch
      from (
        select a.digest, a.size, count(*) as files from version_assets f join assets a using (asset_id)
        where f.version_id = v.version_id group by a.digest, a.size
      ) as same_digest
    ) as files
    cross join lateral (
      select count(*) as changed_files
      from ${filesOf(sql`v.version_id`)} as later full join ${filesOf(sql`v.older_id`)} as earlier using (filename)
      where later.digest is distinct from earlier.digest
    ) as step
    order by v.created_at desc, v.version_id desc`.execute(tx);
  return rows;
}

const filesOf = (versionId: RawBuilder<unknown>): RawBuilder<unknown> => sql`(
  select f.filename, a.digest from version_assets f join assets a using (asset_id) where f.version_id = ${versionId})`;

const newestVersions = (packageId: string, limit: number): RawBuilder<unknown> => sql`
  select v.version_id, v.created_at from package_versions v where v.package_id = ${packageId}
  order by v.created_at desc, v.version_id desc limit ${limit}`;

/** The raw ids of the newest versions, of those with a tag that can move, and of the newest with a locked one. */
const chosenVersions = (packageId: string): RawBuilder<unknown> => sql`
  select version_id from (${newestVersions(packageId, newestCount)}) as newest
  union (
    select v.version_id from package_versions v
    where v.version_id in (select t.version_id from package_tags t where t.package_id = ${packageId} and not t.locked)
    order by v.created_at desc, v.version_id desc limit ${maxMovable}
  )
  union (
    select v.version_id from (${newestVersions(packageId, lockedAmong)}) as v
    where exists (select 1 from package_tags t where t.version_id = v.version_id and t.locked)
    order by v.created_at desc, v.version_id desc limit ${maxLocked}
  )`;

function toOutput(row: Row) {
  return {
    versionId: ids.packageVersion.of(row.version_id),
    ...(row.name === null ? {} : { name: row.name }),
    createdAt: row.created_at,
    tags: [...row.tags],
    fileCount: row.file_count,
    totalBytes: row.total_bytes,
    olderCount: row.older_count,
    ...(row.older_id === null
      ? {}
      : { step: { changedFiles: row.changed_files, bytesToFetch: row.bytes_to_fetch } }),
  };
}
