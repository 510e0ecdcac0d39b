import { sql } from 'kysely';

/**
 * SQL that is true, for the `where` of a statement without a transaction: the statement does not wait until its commit is on disk. A crash of the database may
 * lose it, so it is only for changes that can be lost.
 */
export const asynchronousCommit = sql<boolean>`set_config('synchronous_commit', 'off', true) is not null`;
