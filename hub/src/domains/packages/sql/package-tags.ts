import { ActionError, ids, maxTagsOfVersion, type Actor, type Json } from '@corral/contract';
import { sql } from 'kysely';
import { mustBePathName } from '../../../auth/names.ts';
import type { Database } from '../../../platform/db/connect.ts';

/** A tag to set; see the definitions of the actions. */
interface TagRequest {
  readonly tag: string;
  readonly locked?: boolean | undefined;
  readonly reassign?: boolean | undefined;
}

/** The version whose tags change, by raw ids. */
export interface TaggedVersion {
  readonly repositoryId: string;
  readonly packageId: string;
  readonly versionId: string;
}

/** The part of the context of an action that a change of tags needs. */
interface Changing {
  readonly tx: Database;
  readonly actor: Actor;
  readonly now: Date;
  readonly emit: (
    name: 'repositories_TagMoved' | 'repositories_TagRemoved',
    data: Readonly<Record<string, Json>>,
  ) => { readonly eventId: string | undefined; readonly at: string };
}

interface Tag {
  readonly tag: string;
  readonly version_id: string;
  readonly locked: boolean;
}

interface Move {
  readonly tag: string;
  /** Raw ids; null if the tag was not set before, or is not set any more. */
  readonly from: string | null;
  readonly to: string | null;
  readonly locked: boolean;
}

const shown = (versionId: string): string => ids.packageVersion.of(versionId);

function invalid(sentence: string): ActionError {
  return new ActionError('Invalid', sentence);
}

function isLocked({ tag, version_id }: Tag): ActionError {
  return invalid(
    `The tag ${tag} is locked: it stays on the version ${shown(version_id)} and can neither be moved nor removed.`,
  );
}

/**
 * Points tags at a version, all or none, and writes their history. The package must be locked. Throws an `ActionError` of kind Invalid for a locked
 * tag, and for one on another version that is not to be reassigned.
 */
export async function setTags(
  changing: Changing,
  version: TaggedVersion,
  requests: readonly TagRequest[],
): Promise<void> {
  if (requests.length === 0) return;
  const current = await readTags(changing.tx, version, namesOf(requests));
  const moves = requests.flatMap((request) => moveOf(request, current.get(request.tag), version.versionId));
  await mustHaveRoomForTags(changing.tx, version, moves);
  await writeTags(changing, version, moves);
  await recordMoves(changing, version, moves);
}

/** The names, if they are valid and different. */
function namesOf(requests: readonly { readonly tag: string }[]): string[] {
  const names = requests.map(({ tag }) => mustBePathName(tag, 'tag'));
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw invalid(`The tag ${twice} is given twice.`);
  return names;
}

async function readTags(
  tx: Database,
  { packageId }: TaggedVersion,
  names: readonly string[],
): Promise<ReadonlyMap<string, Tag>> {
  const { rows } = await sql<Tag>`
    select tag, version_id, locked from package_tags where package_id = ${packageId} and tag = any(${names})`.execute(
    tx,
  );
  return new Map(rows.map((row) => [row.tag, row]));
}

/** What a request changes, if anything; a tag that is locked stays so. */
function moveOf(
  { tag, locked = false, reassign = true }: TagRequest,
  known: Tag | undefined,
  to: string,
): Move[] {
  if (known === undefined) return [{ tag, from: null, to, locked }];
  if (known.version_id === to) return locked && !known.locked ? [{ tag, from: to, to, locked }] : [];
  if (known.locked) throw isLocked(known);
  if (!reassign)
    throw invalid(
      `The tag ${tag} points at the version ${shown(known.version_id)} already. To move it, call again with reassign.`,
    );
  return [{ tag, from: known.version_id, to, locked }];
}

async function mustHaveRoomForTags(
  tx: Database,
  { versionId }: TaggedVersion,
  moves: readonly Move[],
): Promise<void> {
  const added = moves.filter(({ from, to }) => from !== to).length;
  if (added === 0) return;
  const { rows } = await sql<{ count: number }>`
    select count(*) from package_tags where version_id = ${versionId}`.execute(tx);
  if ((rows[0]?.count ?? 0) + added > maxTagsOfVersion)
    throw invalid(`A version may have at most ${maxTagsOfVersion} tags.`);
}

/** The comparison with `locked` holds even for a writer that would not lock the package. */
async function writeTags(
  { tx, now }: Changing,
  version: TaggedVersion,
  moves: readonly Move[],
): Promise<void> {
  if (moves.length === 0) return;
  const { rows } = await sql<{ tag: string }>`
    insert into package_tags as known (package_id, tag, version_id, locked, tagged_at)
    select ${version.packageId}, tag, ${version.versionId}, locked, ${now}
    from jsonb_to_recordset(${JSON.stringify(moves)}::jsonb) as move(tag text, locked boolean) order by tag
    on conflict (package_id, tag) do update
      set version_id = excluded.version_id, locked = excluded.locked, tagged_at = excluded.tagged_at
      where not known.locked
    returning tag`.execute(tx);
  const written = new Set(rows.map(({ tag }) => tag));
  const missed = moves.find(({ tag }) => !written.has(tag));
  if (missed !== undefined) throw invalid(`The tag ${missed.tag} is locked.`);
}

/** Removes tags from a version, all or none, and writes their history. The package must be locked. */
export async function removeTags(
  changing: Changing,
  version: TaggedVersion,
  requests: readonly { readonly tag: string }[],
): Promise<void> {
  if (requests.length === 0) return;
  const current = await readTags(changing.tx, version, namesOf(requests));
  for (const { tag } of requests) {
    const known = current.get(tag);
    if (known?.version_id !== version.versionId)
      throw invalid(`The tag ${tag} does not point at the version ${shown(version.versionId)}.`);
    if (known.locked) throw isLocked(known);
  }
  await deleteTags(changing, version, [...current.values()]);
}

/** Throws an `ActionError` of kind Invalid if a tag points at a version. The package must be locked. */
export async function mustHaveNoTag(tx: Database, versionId: string): Promise<void> {
  const { rows } = await sql<{ tag: string }>`
    select tag from package_tags where version_id = ${versionId} order by tag limit 1`.execute(tx);
  if (rows[0] !== undefined) throw invalid(`The tag ${rows[0].tag} points at this version, so it stays.`);
}

/** Removes all tags of a version that is about to be deleted. Throws an `ActionError` of kind Invalid if one is locked. */
export async function removeAllTags(changing: Changing, version: TaggedVersion): Promise<void> {
  await mustHaveNoLockedTag(changing.tx, version.versionId);
  const { rows } = await sql<Tag>`
    select tag, version_id, locked from package_tags where version_id = ${version.versionId} order by tag`.execute(
    changing.tx,
  );
  if (rows.length > 0) await deleteTags(changing, version, rows);
}

/** Throws an `ActionError` of kind Invalid if a locked tag points at a version. The package must be locked. */
export async function mustHaveNoLockedTag(tx: Database, versionId: string): Promise<void> {
  const { rows } = await sql<{ tag: string }>`
    select tag from package_tags where version_id = ${versionId} and locked order by tag limit 1`.execute(tx);
  if (rows[0] === undefined) return;
  throw invalid(
    `The locked tag ${rows[0].tag} points at this version, so neither the version nor a file of it can be removed.`,
  );
}

/** Throws an `ActionError` of kind Invalid if a tag of a package is locked: its paths stay. The package must be locked. */
export async function mustHaveNoLockedTagInPackage(
  tx: Database,
  packageId: string,
  participle: 'deleted' | 'renamed',
): Promise<void> {
  const { rows } = await sql<Pick<Tag, 'tag' | 'version_id'>>`
    select tag, version_id from package_tags where package_id = ${packageId} and locked order by tag limit 1`.execute(
    tx,
  );
  if (rows[0] === undefined) return;
  throw invalid(
    `The locked tag ${rows[0].tag} points at the version ${shown(rows[0].version_id)} of this package, so the package cannot be ${participle}.`,
  );
}

async function deleteTags(changing: Changing, version: TaggedVersion, tags: readonly Tag[]): Promise<void> {
  await sql`
    delete from package_tags where package_id = ${version.packageId} and tag = any(${tags.map(({ tag }) => tag)})
      and not locked`.execute(changing.tx);
  const moves = tags.map(({ tag, version_id }) => ({ tag, from: version_id, to: null, locked: false }));
  await recordMoves(changing, version, moves);
}

/**
 * Emits one event for the moves of a call, and writes each into the history under its id. A move is later than all before it in the package, also where
 * clocks of nodes differ.
 */
async function recordMoves(
  { tx, actor, emit }: Changing,
  { repositoryId, packageId }: TaggedVersion,
  moves: readonly Move[],
): Promise<void> {
  const [first] = moves;
  if (first === undefined) return;
  const { eventId, at } = emit(first.to === null ? 'repositories_TagRemoved' : 'repositories_TagMoved', {
    repositoryId: ids.repository.of(repositoryId),
    packageId: ids.package.of(packageId),
    tags: moves.map(({ tag, from, to, locked }) => ({
      tag,
      ...(from === null ? {} : { fromVersionId: shown(from) }),
      ...(to === null ? {} : { toVersionId: shown(to), locked }),
    })),
  });
  await sql`
    insert into package_tag_moves (package_id, tag, moved_at, move_id, from_version_id, to_version_id, locked, actor)
    select ${packageId}, move.tag, greatest(${at}::timestamptz, (
        select max(earlier.moved_at) from package_tag_moves earlier where earlier.package_id = ${packageId}
      )) + place * interval '1 microsecond', ${eventId}, move."from", move."to", move.locked, ${JSON.stringify(actor)}::jsonb
    from rows from (jsonb_to_recordset(${JSON.stringify(moves)}::jsonb)
      as (tag text, "from" text, "to" text, locked boolean)) with ordinality as move(tag, "from", "to", locked, place)`.execute(
    tx,
  );
}
