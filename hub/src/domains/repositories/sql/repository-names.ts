import { ActionError } from '@corral/contract';
import { sql, type RawBuilder } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { lockName, lockNames } from './repository-locks.ts';

/** What became of a renaming; what is gone was deleted meanwhile. */
export type RenameOutcome = 'Renamed' | 'Unchanged' | 'Taken' | 'Gone';

/** For how long the name of a renamed or deleted repository is kept, so that nobody else gets its paths. */
const keptMs = 30 * 86_400_000;
const keptFrom = (now: Date): Date => new Date(now.getTime() + keptMs);
/** Without a limit one repository could take any number of names from others. */
const maxKeptNames = 10;

/** Who is to have a name, by raw ids: a repository that exists, or one of a new owner. */
type Wanting = { readonly repositoryId: string } | { readonly ownerId: string };

/** SQL whether a tag in the statement's `repositories r` is locked. */
const hasLockedTag: RawBuilder<boolean> = sql<boolean>`exists (
  select from packages p join package_tags t using (package_id) where p.repository_id = r.repository_id and t.locked)`;

/**
 * Whether there is a repository of this name; the name is locked until the transaction ends. Throws an `ActionError` of kind Invalid if another one had it and it is
 * still kept from who wants it.
 */
export async function isNameTaken(tx: Database, name: string, wanting: Wanting, now: Date): Promise<boolean> {
  await lockName(tx, '', name);
  const [id, ownerId] = 'ownerId' in wanting ? [null, wanting.ownerId] : [wanting.repositoryId, null];
  const { rows } = await sql<{ exists: boolean }>`
    select true as exists from repositories where name = ${name}
    union all
    select false from kept_repository_names k
    where k.name = ${name} and coalesce(k.kept_until > ${now}, true) and k.repository_id is distinct from ${id}
      and not coalesce(${ownerId} = any(k.owners), false) and not exists (
        select from repository_members m where m.repository_id = ${id} and m.is_owner and m.user_id = any(k.owners))`.execute(
    tx,
  );
  if (rows.some(({ exists }) => exists)) return true;
  if (rows.length === 0) return false;
  throw new ActionError(
    'Invalid',
    `Another repository had the name ${name}. Its paths are kept for it for 30 days, longer if a tag is locked. Choose another name.`,
  );
}

/** Renames a repository by raw id, and keeps its former name; says what became of it. */
export async function renameRepository(
  tx: Database,
  repositoryId: string,
  name: string,
  now: Date,
): Promise<RenameOutcome> {
  const { rows } = await sql<{ name: string }>`
    select name from repositories where repository_id = ${repositoryId} for update`.execute(tx);
  if (rows[0] === undefined) return 'Gone';
  if (rows[0].name === name) return 'Unchanged';
  await lockNames(tx, '', [rows[0].name, name]);
  if (await isNameTaken(tx, name, { repositoryId }, now)) return 'Taken';
  await keepNameOfRenamed(tx, repositoryId, name, now);
  await tx.updateTable('repositories').set({ name }).where('repository_id', '=', repositoryId).execute();
  return 'Renamed';
}

/** While a tag is locked, the path of its files is never that of others. */
async function keepNameOfRenamed(tx: Database, repositoryId: string, name: string, now: Date): Promise<void> {
  await sql`
    insert into kept_repository_names as k (name, repository_id, kept_until)
    select r.name, r.repository_id, case when ${hasLockedTag} then null else ${keptFrom(now)}::timestamptz end
    from repositories r where r.repository_id = ${repositoryId}
    on conflict (name) do update
      set repository_id = excluded.repository_id, owners = '{}', kept_until = excluded.kept_until`.execute(
    tx,
  );
  const { rows } = await sql<{ count: number }>`
    select count(*) from kept_repository_names
    where repository_id = ${repositoryId} and name <> ${name} and coalesce(kept_until > ${now}, true)`.execute(
    tx,
  );
  if ((rows[0]?.count ?? 0) > maxKeptNames)
    throw new ActionError(
      'Invalid',
      `The last ${maxKeptNames} names of this repository are still kept for it. Choose one of them, or rename it later.`,
    );
}

/**
 * Keeps the names of repositories, by raw ids, that are about to be deleted and whose rows are locked. Their owners may take them at once; where a tag is locked,
 * nobody may, since its path would have other files.
 */
export async function keepNamesOfDeleted(
  tx: Database,
  repositoryIds: readonly string[],
  now: Date,
): Promise<void> {
  const some = sql`any(${[...repositoryIds]})`;
  const { rows } = await sql<{ name: string }>`
    select name from repositories where repository_id = ${some}`.execute(tx);
  await lockNames(
    tx,
    '',
    rows.map(({ name }) => name),
  );
  await sql`update kept_repository_names set kept_until = ${keptFrom(now)}
    where repository_id = ${some} and kept_until is null`.execute(tx);
  await sql`
    insert into kept_repository_names (name, repository_id, owners, kept_until)
    select r.name, r.repository_id, case when ${hasLockedTag} then '{}' else array(
        select user_id from repository_members m where m.repository_id = r.repository_id and m.is_owner
      ) end, ${keptFrom(now)}
    from repositories r where r.repository_id = ${some}
    on conflict (name) do update
      set repository_id = excluded.repository_id, owners = excluded.owners, kept_until = excluded.kept_until`.execute(
    tx,
  );
}

/** Forgets the names that are not kept any more. */
export async function forgetKeptNames(tx: Database, now: Date): Promise<void> {
  await sql`delete from kept_repository_names where kept_until <= ${now}`.execute(tx);
}
