import { ActionError, ids, type Id, type Json } from '@corral/contract';
import { sql } from 'kysely';
import type { Handler } from '../../../calls/handler.ts';
import type { Database } from '../../../platform/db/connect.ts';
import { mustReadVersion, type VersionAccess } from '../../repositories/index.ts';
import { notFound } from '../../../auth/actors.ts';
import { readVersion } from '../sql/package-versions.ts';

interface Compared {
  readonly from: VersionAccess;
  readonly to: VersionAccess;
}

/** Compares two versions of a package by files, sizes, digests and metadata. */
export const CompareVersions: Handler<'repositories_CompareVersions', Compared> = {
  async authorize({ tx, actor, input }) {
    const from = await mustReadVersion(tx, actor, input.fromVersionId);
    const to = await mustReadVersion(tx, actor, input.toVersionId);
    return { from, to };
  },

  async run({ tx }, access) {
    if (access.from.packageId !== access.to.packageId)
      throw new ActionError('Invalid', 'Both versions must be of the same package.');
    const from = await readLabelled(tx, access.from.versionId);
    const to = await readLabelled(tx, access.to.versionId);
    const pairs = await readFilePairs(tx, access.from.versionId, access.to.versionId);
    return {
      from: from.label,
      to: to.label,
      files: compareFiles(pairs),
      metadata: compareMetadata(from.metadata, to.metadata),
      ...bytesOf(pairs),
    };
  },
};

async function readLabelled(tx: Database, versionId: string) {
  const version = await readVersion(tx, versionId);
  if (version === undefined) throw notFound('Version');
  const label = {
    versionId: ids.packageVersion.of(versionId) as Id<'packageVersion'>,
    ...(version.name === null ? {} : { name: version.name }),
    createdAt: version.created_at,
  };
  return { label, metadata: version.metadata };
}

type FileChange = 'Added' | 'Removed' | 'Changed' | 'Same';

/** A file of one of the versions. */
interface VersionFile {
  readonly asset_id: string;
  readonly size: number;
  readonly digest: string;
  readonly status: 'Dangling' | 'Available' | 'Deleting';
}

/** A filename with the file that each version has under it. */
interface FilePair {
  readonly filename: string;
  readonly hasOtherMetadata: boolean;
  readonly from: VersionFile | null;
  readonly to: VersionFile | null;
}

/** Reads the files of two versions by filename. The database compares their metadata, of which a version may have several MiB. */
async function readFilePairs(tx: Database, fromId: string, toId: string): Promise<FilePair[]> {
  const filesOf = (versionId: string) => sql`(
    select f.filename, f.metadata, json_build_object('asset_id', a.asset_id, 'size', a.size,
      'digest', 'sha256_' || encode(a.digest, 'hex'), 'status', a.status) as file
    from version_assets f join assets a using (asset_id) where f.version_id = ${versionId})`;
  const { rows } = await sql<FilePair>`
    select filename, coalesce(earlier.metadata <> later.metadata, false) as "hasOtherMetadata",
      earlier.file as "from", later.file as "to"
    from ${filesOf(fromId)} as earlier full join ${filesOf(toId)} as later using (filename)
    order by filename collate "C"`.execute(tx);
  return rows;
}

function changeOf({ from, to }: FilePair): FileChange {
  if (from === null) return 'Added';
  if (to === null) return 'Removed';
  return from.digest === to.digest ? 'Same' : 'Changed';
}

function toOutput({ asset_id, ...file }: VersionFile) {
  return { assetId: ids.asset.of(asset_id), ...file };
}

/** The files as actions answer them, with what became of each. */
function compareFiles(pairs: readonly FilePair[]) {
  return pairs.map((pair) => ({
    filename: pair.filename,
    change: changeOf(pair),
    hasOtherMetadata: pair.hasOtherMetadata,
    ...(pair.from === null ? {} : { from: toOutput(pair.from) }),
    ...(pair.to === null ? {} : { to: toOutput(pair.to) }),
  }));
}

/** Values from the database: their keys are in one order. */
function isSame(one: Json | undefined, other: Json | undefined): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

/** The keys of two maps of metadata with different values. */
function compareMetadata(from: Record<string, Json>, to: Record<string, Json>) {
  const keys = [...new Set([...Object.keys(from), ...Object.keys(to)])].toSorted();
  return keys
    .filter((key) => !isSame(from[key], to[key]))
    .map((key) => ({
      key,
      ...(Object.hasOwn(from, key) ? { from: from[key] as Json } : {}),
      ...(Object.hasOwn(to, key) ? { to: to[key] as Json } : {}),
    }));
}

/** The bytes of all different files of the later version, and of those that the earlier one does not have. */
function bytesOf(pairs: readonly FilePair[]) {
  const known = new Set(pairs.flatMap(({ from }) => from?.digest ?? []));
  const sizes = new Map(pairs.flatMap(({ to }) => (to === null ? [] : [[to.digest, to.size]])));
  const sum = (digests: readonly [string, number][]): number =>
    digests.reduce((total, [, size]) => total + size, 0);
  return {
    totalBytes: sum([...sizes]),
    bytesToFetch: sum([...sizes].filter(([digest]) => !known.has(digest))),
  };
}
