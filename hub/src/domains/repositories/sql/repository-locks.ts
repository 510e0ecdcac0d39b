import { ActionError } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';

/** The names of repositories, among the keys of advisory locks; the number is arbitrary. */
const nameLocks = 7_240_113;

/**
 * Lets one transaction at a time give a name that must be unique in `scope`, so that a rename can check first whether it is taken: a violation of
 * the index would abort the transaction.
 */
export async function lockName(tx: Database, scope: string, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(${nameLocks}, hashtext(${`${scope}/${name}`}))`.execute(tx);
}

/** Locks names like `lockName`, in one order, so that two renames do not wait for each other. */
export async function lockNames(tx: Database, scope: string, names: readonly string[]): Promise<void> {
  for (const name of names.toSorted()) await lockName(tx, scope, name);
}

/**
 * Locks a package by raw id until the end of the transaction. All changes of its tags and versions do so first, and after one another;
 * readers do not wait. Throws an `ActionError` of kind Invalid if it has just been deleted.
 */
export async function lockPackage(tx: Database, packageId: string): Promise<void> {
  const { rows } = await sql`
    select 1 from packages where package_id = ${packageId} for no key update`.execute(tx);
  if (rows.length === 0) throw new ActionError('Invalid', 'Package not found.');
}

/** Locks the package of a version, by raw ids; throws an `ActionError` of kind Invalid if one of them has just been deleted. */
export async function lockVersion(
  tx: Database,
  { packageId, versionId }: { readonly packageId: string; readonly versionId: string },
): Promise<void> {
  await lockPackage(tx, packageId);
  // A statement of its own sees what was committed while this transaction waited for the lock.
  const { rows } = await sql`select 1 from package_versions where version_id = ${versionId}`.execute(tx);
  if (rows.length === 0) throw new ActionError('Invalid', 'Version not found.');
}
