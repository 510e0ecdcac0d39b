import type { Json } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';

/** A tag as actions answer it. */
export interface VersionTag {
  readonly tag: string;
  readonly locked: boolean;
}

/** SQL of the tags of a version, by name; the statement's `package_versions` must be named `v`. */
export const tagsOfVersion: RawBuilder<VersionTag[]> = sql<VersionTag[]>`coalesce((
  select jsonb_agg(jsonb_build_object('tag', t.tag, 'locked', t.locked) order by t.tag)
  from package_tags t where t.version_id = v.version_id), '[]')`;

/** A version without its files. */
export interface VersionRow {
  readonly name: string | null;
  readonly metadata: Record<string, Json>;
  readonly created_at: string;
  readonly package_name: string;
  readonly tags: readonly VersionTag[];
}

/** Reads a version by its raw id. */
export async function readVersion(tx: Database, versionId: string): Promise<VersionRow | undefined> {
  const { rows } = await sql<VersionRow>`
    select v.name, v.metadata, v.created_at, p.name as package_name, ${tagsOfVersion} as tags
    from package_versions v join packages p using (package_id) where v.version_id = ${versionId}`.execute(tx);
  return rows[0];
}
