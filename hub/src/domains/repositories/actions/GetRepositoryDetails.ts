import { sql } from 'kysely';
import type { Handler } from '../../../calls/handler.ts';
import { notFound } from '../../../auth/actors.ts';
import { mustReadRepository, type RepositoryAccess } from '../policy/repositories.ts';
import { repositoryCounts, type RepositoryCounts } from '../sql/repository-counts.ts';

interface Row extends RepositoryCounts {
  readonly name: string;
  readonly visibility: 'Public' | 'Private';
  readonly max_bytes: number | null;
  readonly max_assets: number | null;
  readonly created_at: string;
}

/** Returns a repository with its counts and quotas. */
export const GetRepositoryDetails: Handler<'repositories_GetRepositoryDetails', RepositoryAccess> = {
  authorize: ({ tx, actor, input }) => mustReadRepository(tx, actor, input.repositoryId),

  async run({ tx, input }, { repositoryId, isMember, isOwner }) {
    const { rows } = await sql<Row>`
      select r.name, r.visibility, r.max_bytes, r.max_assets, r.created_at, counted.*
      from repositories r, lateral (${repositoryCounts}) as counted where r.repository_id = ${repositoryId}`.execute(
      tx,
    );
    const [row] = rows;
    if (row === undefined) throw notFound('Repository');
    return {
      repositoryId: input.repositoryId,
      name: row.name,
      displayName: row.name,
      slug: row.name,
      publicName: row.name,
      visibility: row.visibility,
      packageCount: row.packages,
      assetCount: row.assets,
      createdAt: row.created_at,
      isOwner,
      canWrite: isMember,
      usedBytes: row.bytes,
      ...(row.max_bytes === null ? {} : { maxBytes: row.max_bytes }),
      ...(row.max_assets === null ? {} : { maxAssets: row.max_assets }),
    };
  },
};
