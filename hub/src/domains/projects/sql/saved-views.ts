import { maxSavedViews, type Output } from '@corral/contract';
import { sql } from 'kysely';
import type { Database } from '../../../platform/db/connect.ts';

/** A saved view as it is answered. */
export type SavedView = Output<'projects_QuerySavedViews'>['views'][number];

/** Whose views, and of which project; both ids are raw. */
export interface ViewsOwner {
  readonly projectId: string;
  readonly userId: string;
}

/** Saves a view, instead of one of the same name; undefined where the user has too many of the project, or either was just deleted. */
export async function saveView(
  tx: Database,
  { projectId, userId }: ViewsOwner,
  { name, filter, status, order, columns }: SavedView,
): Promise<'Created' | 'Replaced' | undefined> {
  // Of calls at the same time the second one counts what the first one has added; neither project nor user is deleted meanwhile.
  const { rows: locked } = await sql`
    select 1 from projects p cross join users u where p.project_id = ${projectId} and u.user_id = ${userId}
    for key share of p for no key update of u`.execute(tx);
  if (locked.length === 0) return undefined;
  const { rows } = await sql<{ isNew: boolean }>`
    insert into saved_views (project_id, user_id, name, filter, status, sort_order, columns)
    select ${projectId}, ${userId}, ${name}, ${filter ?? null}, ${status ?? null}, ${order ?? null}, ${columns ?? null}::text[]
    where (
      select count(*) from saved_views where project_id = ${projectId} and user_id = ${userId} and name <> ${name}
    ) < ${maxSavedViews}
    on conflict (project_id, user_id, name) do update set filter = excluded.filter, status = excluded.status,
      sort_order = excluded.sort_order, columns = excluded.columns
    returning xmax = 0 as "isNew"`.execute(tx);
  const [saved] = rows;
  if (saved === undefined) return undefined;
  return saved.isNew ? 'Created' : 'Replaced';
}
