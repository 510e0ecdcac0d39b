import { sql } from 'kysely';

/**
 * SQL that is true, for the `where` of a statement without a transaction: its commit does not wait until the disk has it. Only for what may be forgotten when
 * the database crashes within the next moment.
 */
export const withoutFlush = sql<boolean>`set_config('synchronous_commit', 'off', true) is not null`;
