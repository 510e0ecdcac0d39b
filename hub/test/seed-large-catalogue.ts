import { type Id, ids } from '@corral/contract';
import { type Kysely, sql, type Transaction } from 'kysely';
import { longStatements } from '../src/platform/db/connect.ts';
import type { Tables } from '../src/platform/db/tables.ts';

/** How much a large catalogue has: packages of a repository, versions of each, files of each of those. */
export interface CatalogueSize {
  readonly packages: number;
  readonly versions: number;
  readonly files: number;
}

/** A raw id of 22 symbols: a letter and a number, in SQL; ids have no zero. */
const rawId = (tag: string, number: string) =>
  sql.raw(`rpad('${tag}' || translate((${number})::text, '0', 'z'), 22, 'x')`);

/** Rows of tables that are counted, and rows that refer to them. */
interface BulkRows {
  readonly counted: (tx: Transaction<Tables>) => Promise<unknown>;
  readonly referring: (tx: Transaction<Tables>) => Promise<unknown>;
}

/**
 * Inserts very many rows in one transaction, whose statements may take minutes. The references of the second part are not checked, which
 * would cost several times as much as the rows.
 */
export async function insertInBulk(db: Kysely<Tables>, { counted, referring }: BulkRows): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await sql.raw(longStatements.text).execute(tx);
    await counted(tx);
    await sql`set local session_replication_role = replica`.execute(tx);
    await referring(tx);
  });
}

/**
 * Fills a repository with packages `package-1` …, each with versions of which one per ten has the tags `v1` …, the newest `stable`, and each of those with
 * files `file-1` … of two assets per package. It is done in a few statements: 1,000 packages with 100 versions with 3 files take some seconds.
 */
export async function seedLargeCatalogue(
  db: Kysely<Tables>,
  repositoryId: Id<'repository'>,
  size: CatalogueSize,
): Promise<void> {
  const { packages, versions } = size;
  const repository = ids.repository.raw(repositoryId);
  const [p, v] = [packages, versions].map((count) => sql.lit(count));
  await insertInBulk(db, {
    async counted(tx) {
      await sql`insert into packages (package_id, repository_id, name, created_at)
        select ${rawId('p', 'p')}, ${repository}, 'package-' || p, now() from generate_series(1, ${p}) p`.execute(
        tx,
      );
      await sql`insert into assets (asset_id, repository_id, digest, size, status, storage_key, created_at, touched_at)
        select ${rawId('a', 'p * 2 + a')}, ${repository}, sha256((p * 2 + a)::text::bytea), 1000 + p, 'Available', p || '/' || a, now(), now()
        from generate_series(1, ${p}) p, generate_series(0, 1) a`.execute(tx);
      await sql`insert into package_versions (version_id, package_id, repository_id, name, metadata, created_at)
        select ${versionIds(size)}, ${rawId('p', 'p')}, ${repository}, '1.' || v, '{}', now() - (${v} - v) * interval '1 hour'
        from generate_series(1, ${p}) p, generate_series(1, ${v}) v`.execute(tx);
    },
    referring: (tx) => insertTagsAndFiles(tx, size),
  });
  await sql`analyze packages, assets, package_versions, package_tags, package_tag_moves, version_assets`.execute(
    db,
  );
}

const versionIds = ({ versions }: CatalogueSize) => rawId('v', `p * ${versions} + v`);

async function insertTagsAndFiles(tx: Transaction<Tables>, size: CatalogueSize): Promise<void> {
  const { packages, versions, files } = size;
  const [p, v, f] = [packages, versions, files].map((count) => sql.lit(count));
  const versionId = versionIds(size);
  await sql`insert into package_tags (package_id, tag, version_id, locked, tagged_at)
    select ${rawId('p', 'p')}, 'v' || v, ${versionId}, true, now()
    from generate_series(1, ${p}) p, generate_series(10, ${v}, 10) v
    union all select ${rawId('p', 'p')}, 'stable', ${rawId('v', `p * ${versions} + ${versions}`)}, false, now()
    from generate_series(1, ${p}) p`.execute(tx);
  await sql`insert into package_tag_moves (package_id, tag, moved_at, move_id, from_version_id, to_version_id, locked, actor)
    select ${rawId('p', 'p')}, 'stable', now() - (${v} - v) * interval '1 hour', ${rawId('m', `p * ${versions} + v`)},
      case when v > 1 then ${rawId('v', `p * ${versions} + v - 1`)} end, ${versionId}, false, '{"actor": "System", "kind": "System"}'
    from generate_series(1, ${p}) p, generate_series(1, ${v}) v`.execute(tx);
  await sql`insert into version_assets (version_id, filename, asset_id, added_at)
    select ${versionId}, 'file-' || f, ${rawId('a', 'p * 2 + f % 2')}, now()
    from generate_series(1, ${p}) p, generate_series(1, ${v}) v, generate_series(1, ${f}) f`.execute(tx);
}
