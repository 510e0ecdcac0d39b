import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';

/** Counts of a repository, as the SQL of `repositoryCounts` names them. */
export interface RepositoryCounts {
  readonly packages: number;
  readonly assets: number;
  readonly bytes: number;
}

/** SQL that counts what a repository has, to be joined laterally; the statement's `repositories` must be named `r`. It reads sums that the triggers count_packages and count_assets keep. */
export const repositoryCounts: RawBuilder<RepositoryCounts> = sql<RepositoryCounts>`
  select coalesce(sum(s.packages), 0)::bigint as packages, coalesce(sum(s.assets), 0)::bigint as assets,
    coalesce(sum(s.bytes), 0)::bigint as bytes
  from (
    select packages, assets, bytes from repository_counts where repository_id = r.repository_id
    union all
    select packages, assets, bytes from repository_count_changes where repository_id = r.repository_id
  ) as s`;

/** Rows that one fold moves at most. */
const maxChanges = 20_000;

/** Adds the changes of counts to the counts, and removes counts of nothing. Readers see each change exactly once. */
export async function foldRepositoryCounts(tx: Database): Promise<void> {
  const { rows } = await sql<{ repositoryId: string }>`
    with moved as (
      delete from repository_count_changes where ctid = any(array(
        select ctid from repository_count_changes limit ${maxChanges} for update skip locked
      )) returning *
    )
    insert into repository_counts as known (repository_id, packages, assets, bytes)
    select repository_id, sum(packages), sum(assets), sum(bytes)
    from moved group by repository_id order by repository_id
    on conflict (repository_id) do update set packages = known.packages + excluded.packages,
      assets = known.assets + excluded.assets, bytes = known.bytes + excluded.bytes
    returning repository_id as "repositoryId"`.execute(tx);
  if (rows.length === 0) return;
  await sql`
    delete from repository_counts where repository_id = any(${rows.map(({ repositoryId }) => repositoryId)})
      and packages = 0 and assets = 0 and bytes = 0`.execute(tx);
}
