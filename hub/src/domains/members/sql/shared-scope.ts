import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';

/** What people are members of and are invited to: a project or a repository, by its raw id. */
export interface Scope {
  readonly kind: 'project' | 'repository';
  readonly id: string;
}

/** The SQL names of a kind of scope. */
export const scopeNames = {
  project: {
    table: sql.table('projects'),
    members: sql.table('project_members'),
    key: sql.ref('project_id'),
  },
  repository: {
    table: sql.table('repositories'),
    members: sql.table('repository_members'),
    key: sql.ref('repository_id'),
  },
} as const;

/** Locks a project or a repository for changes of who belongs to it, until the transaction ends; false if it is deleted. */
export async function lockScope(tx: Database, { kind, id }: Scope): Promise<boolean> {
  const { table, key } = scopeNames[kind];
  const { rows } = await sql`select 1 from ${table} where ${key} = ${id} for no key update`.execute(tx);
  return rows.length > 0;
}
