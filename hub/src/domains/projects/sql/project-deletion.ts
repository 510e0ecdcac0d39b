import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';
import { endLinksOf, type ProjectLink } from './project-links.ts';

/** What was deleted, by raw ids. */
interface DeletedProjects {
  readonly projects: readonly { readonly projectId: string; readonly name: string }[];
  /** The links to repositories that ended, whose members must learn of it. */
  readonly links: readonly ProjectLink[];
}

/** Deletes projects by raw id, for everybody at once. Their devices stay in `all_devices`, where only the job that deletes them looks; the names of their properties stay listed until then, too. */
export async function deleteProjects(tx: Database, projectIds: readonly string[]): Promise<DeletedProjects> {
  if (projectIds.length === 0) return { projects: [], links: [] };
  const some = sql`project_id = any(${[...projectIds]})`;
  const links = await endLinksOf(tx, 'project', projectIds);
  const projects = await sql<DeletedProjects['projects'][number]>`
    delete from projects where ${some} returning project_id as "projectId", name`.execute(tx);
  return { projects: projects.rows, links };
}
