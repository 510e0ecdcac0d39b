import { ids, type Json } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../db/connect.ts';

type FileChange = 'Added' | 'Removed' | 'Changed' | 'Same';

/** A file of one of the versions. */
interface VersionFile {
  readonly asset_id: string;
  readonly size: number;
  readonly digest: string;
  readonly status: 'Dangling' | 'Available' | 'Deleting';
}

/** A filename with the file that each version has under it. */
export interface FilePair {
  readonly filename: string;
  readonly hasOtherMetadata: boolean;
  readonly from: VersionFile | null;
  readonly to: VersionFile | null;
}

/** Reads the files of two versions by filename. The database compares their metadata, of which a version may have several MiB. */
export async function readFilePairs(tx: Database, fromId: string, toId: string): Promise<FilePair[]> {
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
export function compareFiles(pairs: readonly FilePair[]) {
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
export function compareMetadata(from: Record<string, Json>, to: Record<string, Json>) {
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
export function bytesOf(pairs: readonly FilePair[]) {
  const known = new Set(pairs.flatMap(({ from }) => from?.digest ?? []));
  const sizes = new Map(pairs.flatMap(({ to }) => (to === null ? [] : [[to.digest, to.size]])));
  const sum = (digests: readonly [string, number][]): number =>
    digests.reduce((total, [, size]) => total + size, 0);
  return {
    totalBytes: sum([...sizes]),
    bytesToFetch: sum([...sizes].filter(([digest]) => !known.has(digest))),
  };
}
