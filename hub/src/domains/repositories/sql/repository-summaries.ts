import { ids } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { repositoryCounts, type RepositoryCounts } from './repository-counts.ts';

/** What a list shows of a repository besides its name. */
export interface RepositorySummary extends RepositoryCounts {
  readonly newest?: {
    readonly versionId: `pkg_v_${string}`;
    readonly name?: string;
    readonly createdAt: string;
    readonly packageId: `pkg_${string}`;
    readonly packageName: string;
  };
}

interface Row extends RepositoryCounts {
  readonly repository_id: string;
  readonly version_id: string | null;
  readonly name: string | null;
  readonly created_at: string;
  readonly package_id: string;
  readonly package_name: string;
}

/** Reads the counts and the newest version of repositories, by raw ids. */
export async function readSummaries(
  tx: Database,
  repositoryIds: readonly string[],
): Promise<ReadonlyMap<string, RepositorySummary>> {
  const { rows } = await sql<Row>`
    select r.repository_id, counted.*, newest.*
    from unnest(${[...repositoryIds]}::text[]) as r(repository_id), lateral (${repositoryCounts}) as counted
    left join lateral (
      select v.version_id, v.name, v.created_at, v.package_id, p.name as package_name
      from package_versions v join packages p using (package_id) where v.repository_id = r.repository_id
      order by v.created_at desc, v.version_id desc limit 1
    ) as newest on true`.execute(tx);
  return new Map(rows.map((row) => [row.repository_id, summaryOf(row)]));
}

function summaryOf(row: Row): RepositorySummary {
  const { packages, assets, bytes } = row;
  if (row.version_id === null) return { packages, assets, bytes };
  const newest = {
    versionId: ids.packageVersion.of(row.version_id),
    ...(row.name === null ? {} : { name: row.name }),
    createdAt: row.created_at,
    packageId: ids.package.of(row.package_id),
    packageName: row.package_name,
  };
  return { packages, assets, bytes, newest };
}
